import type { Bytes, Stat } from "../kernel/syscalls.js";
import { OwnWork } from "./own-work.js";

/** What a look at a file tells about its content. */
export type FileState = Pick<Stat, "dev" | "ino" | "size" | "mtimeNs" | "ctimeNs" | "mode" | "uid" | "gid" | "nlink">;

/** Which state of a file each session last saw, to notice what somebody else did to it since. */
export interface ReadMarks {
  /** The session has read, or itself written, the file in this state. */
  saw(session: string, real: Bytes, state: FileState): void;
  forget(session: string, real: Bytes): void;
  /** Whether the file is in another state than the session last saw; false when it never saw it. */
  isStale(session: string, real: Bytes, state: FileState): boolean;
}

export interface SessionMarks extends ReadMarks {
  /** From now until it is disposed of, what changes is taken for the session's own doing: one of its commands runs. */
  ownWork(session: string): Disposable;
}

export interface ReadMarksOptions {
  /** Files that are remembered for each session; those it had nothing to do with for longest are forgotten. */
  readonly maxPerOwner: number;
  readonly maxOwners: number;
}

interface Mark {
  readonly state: FileState;
  readonly seenNs: bigint;
}

interface Session {
  readonly marks: Map<Bytes, Mark>;
  readonly work: OwnWork;
}

export function createReadMarks({ maxPerOwner, maxOwners }: ReadMarksOptions): SessionMarks {
  const sessions = new Map<string, Session>();
  const sessionOf = (id: string): Session => {
    const session = sessions.get(id) ?? { marks: new Map(), work: new OwnWork() };
    putLast(sessions, id, session, maxOwners);
    return session;
  };
  return {
    saw(id, real, state) {
      // Our clock is cut to milliseconds, that of files is not.
      const seenNs = BigInt(Date.now() + 1) * 1_000_000n;
      putLast(sessionOf(id).marks, real, { state, seenNs }, maxPerOwner);
    },
    forget: (id, real) => void sessions.get(id)?.marks.delete(real),
    isStale(id, real, state) {
      const mark = sessions.get(id)?.marks.get(real);
      if (mark === undefined) return false;
      const { marks, work } = sessionOf(id);
      putLast(marks, real, mark, maxPerOwner);
      return hasChanged(mark, state) && !isOwn(work, mark, state);
    },
    ownWork: (id) => sessionOf(id).work.begin(),
  };
}

/**
 * Size and time of the content are not enough: whoever rewrites a file may put its time back, as copying tools do. Then
 * only the time of the last change of any kind is later; and if none of what such a change may be about has changed (mode,
 * owner, links), it was the content.
 * The state of a file that we wrote is of before its rename, which is a change as well: so what counts is when it was seen.
 */
function hasChanged({ state: before, seenNs }: Mark, now: FileState): boolean {
  const isSame =
    now.ino === before.ino && now.dev === before.dev && now.size === before.size && now.mtimeNs === before.mtimeNs;
  return !isSame || (isLater(before, now, seenNs) && !isRefitted(before, now));
}

/** A file server whose clock is ahead of ours has times that say nothing about that. */
function isLater(before: FileState, now: FileState, seenNs: bigint): boolean {
  return before.ctimeNs <= seenNs && now.ctimeNs > seenNs;
}

/** What was last done to it, or to its content before somebody changed its mode, was done while a command ran. */
function isOwn(work: OwnWork, { state: before }: Mark, now: FileState): boolean {
  return work.covers(now.ctimeNs) || (isRefitted(before, now) && work.covers(now.mtimeNs));
}

function isRefitted(before: FileState, now: FileState): boolean {
  return now.mode !== before.mode || now.uid !== before.uid || now.gid !== before.gid || now.nlink !== before.nlink;
}

function putLast<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, max: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > max) map.delete(map.keys().next().value as Key);
}
