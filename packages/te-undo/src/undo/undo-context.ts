import { type Guards, type Descriptor, type Stat, type Work, done, type ContentMark } from "@llmc/te-path";
import type { Bytes } from "@llmc/names";
import type { Held } from "../store/held-content.js";
import type { Temps } from "../temps/temps.js";
import type { Change } from "../store/change.js";
import { factsOf, type Anew, type UndoStep } from "../store/steps.js";

/** A change that takes another back. */
export interface Recorder extends Change {
  /** Keeps the end of a file, from a position on. */
  keepTail(entry: Descriptor, stat: Stat, from: number): Work<ContentMark>;
}

/** Nothing is written down: what is taken back was made a moment ago. */
export const unrecorded: Recorder = {
  isHeld: false,
  wants: () => false,
  keep: (_entry, stat) => done({ sha256: "", ...factsOf(stat) }),
  keepTail: () => done({ sha256: "", size: 0 }),
  placeFor: () => done(null),
  giveUp() {},
  note() {},
  amend() {},
  strike() {},
  *rollBack() {},
  finish: () => done({ undo: null }),
};

/** What taking a step back works with. */
export interface UndoContext {
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

/** Callbacks for the progress of a roll-back. */
export interface RollingBack {
  /** Called with the index of a step before it is undone. */
  readonly isNext: (index: number) => void;
  /** Told before a file is made anew. */
  readonly became: (anew: Anew) => void;
  /** Told after a step was taken back. */
  readonly isBack: (step: UndoStep) => void;
}
