import { posix } from "node:path";
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
import { encodeText } from "@llmc/patch";
import { makeParents } from "./make-folders.js";
import { refuseChanged } from "../stale/refuse-changed.js";
import type { StaleGuard } from "../stale/stale-guard.js";
import { endOf, type TextEnd } from "./text-end.js";
import { reformedBy } from "./text-form.js";

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
  /** SHA-256 of the whole new file. */
  readonly sha256: string;
  readonly created: boolean;
  readonly atomic: boolean;
  readonly linkBroken: boolean;
  /** Somebody else changed the file since the session read it, and it was written all the same. */
  readonly wasChanged: boolean;
  /** Folders made for the file, outermost first. */
  readonly folders: readonly string[];
  /** The end of the old text, if text was added to it. */
  readonly end: TextEnd | undefined;
  /** Differences that the writer of the new text may miss, such as `line ends changed: CRLF to LF`. */
  readonly reformed: readonly string[];
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
    const folders: string[] = [];
    const makeThem = async (): Promise<void> => {
      undo.scope.execConfig.refuse(asked.path, asked.shown, false);
      folders.push(...(await makeParents(undo, asked, change, signal)));
    };
    const making = createParents === true ? makeThem : undefined;
    return { ...(await persist(signal, () => withFolders(asked.shown, attempt, making))), folders };
  } catch (thrown) {
    await undo.scope.change(change.rollBack(), asked.shown);
    throw lacksFolder(thrown) && createParents !== true ? withoutParent(asked) : thrown;
  }
}

function* compute(
  { undo, guard, hashes }: Writing,
  target: Target,
  bytes: Uint8Array,
  options: WriteOptions,
): Work<Computed<Omit<Written, keyof UndoNote | "folders">>> {
  const isAppend = options.mode === "append";
  yield* refuseWrite(undo.scope.execConfig, target, true);
  const wasChanged = yield* refuseChanged(guard, target, options, isAppend);
  const end = isAppend && hasFile(target) ? yield* endOf(target, bytes) : undefined;
  const text = end === undefined || end.encoding === "utf-8" ? bytes : inEncoding(bytes, end, target);
  const reformed = isAppend || !hasFile(target) ? [] : yield* reformedBy(target, bytes);
  return {
    content: { bytes: text, afterOld: isAppend ? hashes : undefined },
    report({ mark, stat, created, atomic, linkBroken }) {
      guard.marks[isAppend ? "changed" : "saw"](options.session, target.real, stat, mark.sha256);
      const facts = { created, atomic, linkBroken, wasChanged, end, reformed };
      return { path: target.shown, bytesWritten: text.length, sha256: mark.sha256, ...facts };
    },
  };
}

function inEncoding(bytes: Uint8Array, { encoding }: TextEnd, { shown }: Target): Uint8Array {
  return encodeText(Buffer.from(bytes).toString("utf8"), encoding, posix.basename(shown));
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
      if (makeThem === undefined || !lacksFolder(thrown)) throw thrown;
    }
    await makeThem();
    return await attempt();
  } catch (thrown) {
    // Another program made the file between our look and our write: then it is there, and is looked at.
    throw OpsError.is(thrown) && thrown.code === "ALREADY_EXISTS" ? new ChangedMeanwhileError(path) : thrown;
  }
}

/** Tells whether only a folder is missing; an error with advice, such as a lost root, is about more. */
function lacksFolder(thrown: unknown): boolean {
  return OpsError.is(thrown) && thrown.code === "NOT_FOUND" && thrown.advice === undefined;
}

function withoutParent({ shown }: RequestedPath): NotFoundError {
  return new NotFoundError(shown.slice(0, shown.lastIndexOf("/")), { id: "create-parents" });
}
