import { NotFoundError, OpsError } from "@llmc/errors";
import {
  type Undo,
  type ChangeOptions,
  type UndoNote,
  ChangedMeanwhileError,
  type Computed,
  persist,
  replaceContent,
} from "@llmc/te-undo";
import { type Work, type Target, type HashCache, hasFile, refuseWrite } from "@llmc/te-path";
import type { RequestedPath } from "@llmc/names";
import { makeParents } from "./make-folders.js";
import { refuseChanged } from "../stale/refuse-changed.js";
import type { StaleGuard } from "../stale/stale-guard.js";
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

/** Services that a write uses. */
export interface Writing {
  readonly undo: Undo;
  readonly guard: StaleGuard;
  /** Hashes of files that grow. */
  readonly hashes: HashCache;
}

export async function writeFile(
  writing: Writing,
  path: string,
  bytes: Uint8Array,
  options: WriteOptions,
): Promise<Written> {
  const { undo } = writing;
  const { owner, session, cwd, signal, mode, createParents } = options;
  const asked = undo.scope.requested(path, cwd);
  const change = undo.begin({
    owner,
    session,
    kind: mode === "append" ? "append" : "write",
    paths: [asked.shown],
  });
  try {
    const attempt = () =>
      replaceContent(undo, asked, { change, signal, grows: mode === "append" }, (target) =>
        compute(writing, target, bytes, options),
      );
    const folders = async (): Promise<void> => {
      undo.scope.execConfig.refuse(asked.path, asked.shown, false);
      await makeParents(undo, asked, change, signal);
    };
    return await persist(signal, () => withFolders(asked.shown, attempt, createParents === true ? folders : undefined));
  } catch (thrown) {
    await undo.scope.change(change.rollBack(), asked.shown);
    // What says why already, such as that the root has gone, is not for a missing folder.
    const isParents = isNotFound(thrown) && thrown.advice === undefined && createParents !== true;
    throw isParents ? withoutParent(asked) : thrown;
  }
}

function* compute(
  { undo, guard, hashes }: Writing,
  target: Target,
  bytes: Uint8Array,
  options: WriteOptions,
): Work<Computed<Omit<Written, keyof UndoNote>>> {
  const isAppend = options.mode === "append";
  yield* refuseWrite(undo.scope.execConfig, target, true);
  const wasChanged = yield* refuseChanged(guard, target, options, isAppend);
  const end = isAppend && hasFile(target) ? yield* endOf(target) : undefined;
  const text = end === undefined ? bytes : encoded(bytes, end.encoding);
  return {
    content: { bytes: text, afterOld: isAppend ? hashes : undefined },
    report({ mark, stat, created, atomic, linkBroken }) {
      guard.marks[isAppend ? "changed" : "saw"](options.session, target.real, stat, mark.sha256);
      const facts = { created, atomic, linkBroken, wasChanged, end };
      return { path: target.shown, bytesWritten: text.length, sha256: mark.sha256, ...facts };
    },
  };
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

function withoutParent({ shown }: RequestedPath): NotFoundError {
  return new NotFoundError(shown.slice(0, shown.lastIndexOf("/")), { id: "create-parents" });
}
