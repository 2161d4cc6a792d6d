import type { Stat } from "@llmc/te-path";
import { type Bytes, contains } from "@llmc/names";
import { OwnWork } from "./own-work.js";

/** What a look at a file tells about its content. */
export type FileState = Pick<Stat, "dev" | "ino" | "size" | "mtimeNs" | "ctimeNs" | "mode" | "uid" | "gid" | "nlink">;

/** The content that a session last saw of a file, where its sum is known. */
export interface SeenContent {
  readonly sha256: string;
  readonly size: bigint;
}

/** Which state of a file each session last saw, to notice what somebody else did to it since. */
export interface ReadMarks {
  /** The session has read, or itself written, all of the file in this state. */
  saw(session: string, real: Bytes, state: FileState, sha256?: string): void;
  /** The session has changed part of the file, which made this state of it: what it had not seen before it has not seen now. */
  changed(session: string, real: Bytes, state: FileState, sha256?: string): void;
  /** The same content has another state: it was renamed, copied or taken back. */
  renewed(session: string, real: Bytes, state: FileState): void;
  /** Somebody else's change went by: whatever becomes of the file, the session must look before it rewrites it. */
  missed(session: string, real: Bytes): void;
  /** What lies there, or below, has another name from now on. */
  moved(session: string, from: Bytes, to: Bytes): void;
  /** The file, and all below it. */
  forget(session: string, real: Bytes): void;
  /** Whether the file is in another state than the session last saw; false when it never saw it. */
  isStale(session: string, real: Bytes, state: FileState): boolean;
  seen(session: string, real: Bytes): SeenContent | undefined;
  /** Whether a copy is in the state that was last seen of the file, as far as a copy shows it. */
  isCopyOfSeen(session: string, real: Bytes, copy: FileState): boolean;
  /** The files that the session has seen at a path or below it. */
  below(session: string, real: Bytes): readonly Bytes[];
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
  /** Of what was seen last, however the file is by now. */
  readonly content: SeenContent | undefined;
  readonly isMissed: boolean;
}

interface Session {
  readonly marks: Map<Bytes, Mark>;
  readonly work: OwnWork;
}

/** A copy has the time of its source to the microsecond. */
const COPIED_NS = 2000n;

export function createReadMarks({ maxPerOwner, maxOwners }: ReadMarksOptions): SessionMarks {
  const sessions = new Map<string, Session>();
  const sessionOf = (id: string): Session => {
    const session = sessions.get(id) ?? { marks: new Map(), work: new OwnWork() };
    putLast(sessions, id, session, maxOwners);
    return session;
  };
  const markOf = (id: string, real: Bytes): Mark | undefined => sessions.get(id)?.marks.get(real);
  const put = (id: string, real: Bytes, mark: Mark): void => putLast(sessionOf(id).marks, real, mark, maxPerOwner);
  const below = (id: string, real: Bytes): readonly Bytes[] =>
    [...(sessions.get(id)?.marks.keys() ?? [])].filter((path) => contains(real, path));
  return {
    below,
    saw: (id, real, state, sha256) => put(id, real, newMark(state, sha256)),
    changed(id, real, state, sha256) {
      const mark = markOf(id, real);
      put(id, real, mark?.isMissed === true ? mark : newMark(state, sha256));
    },
    renewed(id, real, state) {
      const mark = markOf(id, real);
      put(id, real, mark?.isMissed === true ? mark : newMark(state, mark?.content?.sha256));
    },
    missed(id, real) {
      const mark = markOf(id, real);
      if (mark !== undefined) put(id, real, { ...mark, isMissed: true });
    },
    moved(id, from, to) {
      const marks = sessions.get(id)?.marks;
      if (marks === undefined || from === to) return;
      for (const path of below(id, to)) marks.delete(path);
      for (const path of below(id, from)) {
        put(id, to + path.slice(from.length), marks.get(path) as Mark);
        marks.delete(path);
      }
    },
    forget(id, real) {
      for (const path of below(id, real)) sessions.get(id)?.marks.delete(path);
    },
    isStale(id, real, state) {
      const mark = markOf(id, real);
      if (mark === undefined) return false;
      put(id, real, mark);
      return mark.isMissed || (hasChanged(mark, state) && !isOwn(sessionOf(id).work, mark, state));
    },
    seen: (id, real) => markOf(id, real)?.content,
    isCopyOfSeen(id, real, { size, mtimeNs }) {
      const state = markOf(id, real)?.state;
      if (state?.size !== size) return false;
      const apart = mtimeNs - state.mtimeNs;
      return (apart < 0n ? -apart : apart) < COPIED_NS;
    },
    ownWork: (id) => sessionOf(id).work.begin(),
  };
}

function newMark(state: FileState, sha256: string | undefined): Mark {
  // Our clock is cut to milliseconds, that of files is not.
  const seenNs = BigInt(Date.now() + 1) * 1_000_000n;
  const content = sha256 === undefined ? undefined : { sha256, size: state.size };
  return { state, seenNs, content, isMissed: false };
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
