import { posix } from "node:path";
import { NotFoundError } from "@llmc/errors";
import { nearestPath, type Files, type Nearest } from "@llmc/te-fs";
import { spell } from "../answer/line.js";

interface Looking {
  readonly files: Files;
  readonly signal: AbortSignal;
}

/** Bounds of the search for a file of the same name in another folder. */
const BELOW = {
  depth: 5,
  includeHidden: false,
  maxEntries: 5000,
  maxKeptBytes: 2 ** 20,
  maxMs: 1500,
  maxFolders: 2000,
};
/** Most files of the same name that are named. */
const MOST_NAMESAKES = 2;

/** Adds to the error for a missing path the path that was probably meant. */
export async function withWayOut(thrown: unknown, looking: Looking): Promise<unknown> {
  if (!(thrown instanceof NotFoundError) || thrown.advice !== undefined || !thrown.path.startsWith("/")) return thrown;
  const hint = await hintFor(thrown.path, looking).catch(() => undefined);
  return hint === undefined ? thrown : new NotFoundError(thrown.path, hint);
}

async function hintFor(path: string, looking: Looking): Promise<string | undefined> {
  if (path.includes("/file:/")) return "Give the path alone, without file://.";
  const [, file, line, last] = /^(.+?):(\d+)(?::\d+|-(\d+))?$/s.exec(path) ?? [];
  if (file !== undefined && (await looking.files.exists(file, looking)))
    return last === undefined
      ? `For line ${line} give ${spell(`${file}#L${line}`)}.`
      : `For lines ${line} to ${last} give ${spell(`${file}#L${line}-L${last}`)}.`;
  const nearest = await nearestPath(looking.files.scope, path, looking);
  if (nearest === undefined) return undefined;
  const { folder, missing, names } = nearest;
  if (names.includes(missing))
    return `${spell(posix.join(folder, missing))} is a link to a missing path, or it was moved a moment ago.`;
  if (/[*?{]/.test(missing)) return `No pattern is taken here: list ${spell(folder)} with file_glob.`;
  const meant = await likely(path, nearest, looking);
  return meant.length > 0
    ? `Did you mean ${meant.map(spelled).join(" or ")}?`
    : `List ${spell(folder)} to see what is there.`;
}

/** Escapes accents of names that are not normalized, because the name that was asked for can look the same. */
function spelled(path: string): string {
  if (path.normalize("NFC") === path) return spell(path);
  return JSON.stringify(path).replace(/\p{M}/gu, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Returns a close name with the rest of the path, a file of that name in another folder, or close names. */
async function likely(path: string, { folder, missing, names }: Nearest, looking: Looking): Promise<readonly string[]> {
  const close = names.map((name) => posix.join(folder, name.replace(/\/$/, "")));
  const rest = path.slice(posix.join(folder, missing).length);
  for (const start of close) if (await looking.files.exists(`${start}${rest}`, looking)) return [`${start}${rest}`];
  const glob = path.slice(path.lastIndexOf("/") + 1).replaceAll(/[\\*?[\]{}!]/g, "\\$&");
  const { folders } = await looking.files.list(folder, { ...BELOW, glob, signal: looking.signal });
  const namesakes = folders.flatMap((each) => each.entries.map(({ name }) => posix.join(each.path, name)));
  return namesakes.length > 0 && namesakes.length <= MOST_NAMESAKES ? namesakes : close;
}
