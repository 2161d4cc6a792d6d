import type { Held } from "./held-content.js";
import type { Guards } from "../path/open-scope.js";
import type { Temps } from "../state/temps.js";
import type { Descriptor, Stat, Steps } from "../kernel/syscalls.js";
import type { Bytes } from "../path/bytes.js";
import { given } from "../kernel/given.js";
import type { Change } from "./journal.js";
import { factsOf, type Anew } from "./undo-step.js";
import { type ContentMark } from "../write/content-hash.js";

/** A change that takes another back. */
export interface Recorder extends Change {
  /** Keeps the end of a file, from a position on. */
  keepTail(entry: Descriptor, stat: Stat, from: number): Steps<ContentMark>;
}

/** Nothing is written down: what is taken back was made a moment ago. */
export const unrecorded: Recorder = {
  isHeld: false,
  wants: () => false,
  keep: (_entry, stat) => given({ sha256: "", ...factsOf(stat) }),
  keepTail: () => given({ sha256: "", size: 0 }),
  placeFor: () => given(null),
  giveUp() {},
  note() {},
  amend() {},
  strike() {},
  *rollBack() {},
  finish: () => given({ undo: null }),
};

/** What taking a step back works with. */
export interface TakingBack {
  readonly scope: Guards;
  readonly temps: Temps;
  /** What the change that is taken back has kept. */
  readonly held: Held;
  /** Writes down what is done, so that it can be taken back as well. */
  readonly change: Recorder;
  /** It was made a moment ago, by the same call: nothing of it is to be kept. */
  readonly isRollBack: boolean;
  /** Told what goes for good, because the journal cannot hold it. */
  readonly lost: (path: Bytes) => void;
  /** Told what of a file could not be given back. */
  readonly withoutOld: (path: Bytes, what: "owner" | "mode" | "time") => void;
  /** Told which file stands for which from now on. */
  readonly became: (anew: Anew) => void;
}
