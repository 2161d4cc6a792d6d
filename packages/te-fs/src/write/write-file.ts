import { NotFoundError, OpsError } from "@llmc/errors";
import { atSpot } from "../at-spot.js";
import type { ChangeOptions, Hand } from "../hand.js";
import type { UndoNote } from "../journal/undo-note.js";
import type { Change } from "../journal/journal.js";
import type { Steps } from "../kernel/syscalls.js";
import type { Asked } from "../path/argument.js";
import type { Spot } from "../path/walk.js";
import { appendTo } from "./append.js";
import { makeParents } from "./make-folders.js";
import { ChangedMeanwhileError, persist } from "./persist.js";
import { hasFile, refuseChanged, refuseWrite } from "./refuse.js";
import { replaceFile } from "./replace.js";
import { encoded, endOf, type TextEnd } from "./text-end.js";

export interface WriteOptions extends ChangeOptions {
  readonly mode: "rewrite" | "append";
  /** The content that the file must have, if it is there at all. */
  readonly expectedSha256?: string | null | undefined;
  /** Make the folders that are missing. */
  readonly createParents?: boolean | undefined;
}

export interface Written extends UndoNote {
  /** As the caller spelled it. */
  readonly path: string;
  readonly bytesWritten: number;
  /** Of all that the file has now. */
  readonly sha256: string;
  readonly created: boolean;
  readonly atomic: boolean;
  readonly linkBroken: boolean;
  /** Somebody else changed the file since the session read it, and it was written all the same. */
  readonly wasChanged: boolean;
  /** Of the text that was added to. */
  readonly end: TextEnd | undefined;
}

export async function writeFile(hand: Hand, path: string, bytes: Uint8Array, options: WriteOptions): Promise<Written> {
  const { owner, session, cwd, signal, mode, createParents } = options;
  const asked = hand.ask(path, cwd);
  const change = hand.journal.begin({
    owner,
    session,
    kind: mode === "append" ? "append" : "write",
    paths: [asked.shown],
  });
  try {
    const attempt = () =>
      atSpot(hand, asked, { follow: true, signal, replaces: mode === "rewrite" }, (spot) =>
        writeAt(hand, spot, bytes, { ...options, change }),
      );
    const folders = async (): Promise<void> => {
      hand.executed.refuse(asked.path, asked.shown, false);
      await makeParents(hand, asked, change, signal);
    };
    return await persist(signal, () => withFolders(asked.shown, attempt, createParents === true ? folders : undefined));
  } catch (thrown) {
    await hand.change(change.rollBack(), asked.shown);
    // What says why already, such as that the root has gone, is not for a missing folder.
    const isParents = isNotFound(thrown) && thrown.hint === undefined && createParents !== true;
    throw isParents ? withoutParent(asked) : thrown;
  }
}

function* writeAt(
  hand: Hand,
  spot: Spot,
  bytes: Uint8Array,
  options: WriteOptions & { readonly change: Change },
): Steps<Written> {
  const { change, session, mode } = options;
  yield* refuseWrite(hand, spot, true);
  const wasChanged = yield* refuseChanged(hand, spot, options, mode === "append");
  const end = mode === "append" && hasFile(spot) ? yield* endOf(spot) : undefined;
  const text = end === undefined ? bytes : encoded(bytes, end.encoding);
  const done =
    mode === "append"
      ? yield* appendTo(hand, spot, text, change)
      : yield* replaceFile(hand, spot, { bytes: text }, change);
  const { mark, stat, created, atomic, linkBroken } = done;
  hand.marks[mode === "append" ? "changed" : "saw"](session, spot.real, stat, mark.sha256);
  const facts = { created, atomic, linkBroken, wasChanged, end };
  return { path: spot.shown, bytesWritten: text.length, sha256: mark.sha256, ...facts, ...(yield* change.finish()) };
}

/** Folders are made only once it is known that one is missing. */
async function withFolders<T>(
  path: string,
  attempt: () => Promise<T>,
  makeThem: (() => Promise<void>) | undefined,
): Promise<T> {
  try {
    try {
      return await attempt();
    } catch (thrown) {
      if (makeThem === undefined || !isNotFound(thrown)) throw thrown;
    }
    await makeThem();
    return await attempt();
  } catch (thrown) {
    // Another program made the file between our look and our write: then it is there, and is looked at.
    throw OpsError.is(thrown) && thrown.code === "ALREADY_EXISTS" ? new ChangedMeanwhileError(path) : thrown;
  }
}

function isNotFound(thrown: unknown): thrown is OpsError {
  return OpsError.is(thrown) && thrown.code === "NOT_FOUND";
}

function withoutParent({ shown }: Asked): NotFoundError {
  return new NotFoundError(shown.slice(0, shown.lastIndexOf("/")), "Pass create_parents: true to make it.");
}
