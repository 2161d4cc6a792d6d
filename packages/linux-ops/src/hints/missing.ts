import { NotFoundError } from "@llmc/errors";
import type { Files, ListedEntry } from "@llmc/te-fs";
import { nearestWithin } from "@llmc/toolkit";
import { spell } from "../answer/line.js";

interface Looking {
  readonly files: Files;
  readonly signal: AbortSignal;
}

/** Folders above a missing name that are looked at, and what may be looked at below the first that is there. */
const HIGHEST = 8;
const DEEPEST = 5;
const MOST_FOLDERS = 2000;
const MOST_NAMES = 5000;
const LONGEST_MS = 1500;
/** Of that many files with the name asked for none is more likely than another. */
const MOST_NAMESAKES = 2;

/** A path that leads nowhere is mostly a slip: the answer names what is there. What cannot be looked at goes unhinted. */
export async function withWayOut(thrown: unknown, looking: Looking): Promise<unknown> {
  if (!(thrown instanceof NotFoundError) || thrown.advice !== undefined || !thrown.path.startsWith("/")) return thrown;
  const hint = await hintFor(thrown.path, looking).catch(() => undefined);
  return hint === undefined ? thrown : new NotFoundError(thrown.path, hint);
}

async function hintFor(path: string, looking: Looking): Promise<string> {
  if (path.includes("/file:/")) return "Give the path alone, without file://.";
  const [, file, line, last] = /^(.+?):(\d+)(?::\d+|-(\d+))?$/s.exec(path) ?? [];
  if (file !== undefined && (await looking.files.exists(file, looking)))
    return last === undefined
      ? `For line ${line} give ${spell(`${file}#L${line}`)}.`
      : `For lines ${line} to ${last} give ${spell(`${file}#L${line}-L${last}`)}.`;
  const level = await deepestFolder(path, looking);
  const { folder, name, entries } = level;
  const there = entries.find((entry) => entry.name === name);
  if (there?.type === "symlink")
    return `${spell(join(folder, name))} is a link, and what it leads to (${spell(there.target ?? "")}) is not there.`;
  if (there !== undefined) return "It was made, or its folder was moved, a moment ago: look again.";
  if (/[*?{]/.test(name)) return `No pattern is taken here: list ${spell(folder)} with file_glob.`;
  const meant = await likely(path, level, looking);
  return meant.length > 0
    ? `Did you mean ${meant.map(spelled).join(" or ")}?`
    : `List ${spell(folder)} to see what is there.`;
}

/** Accents that are characters of their own are not seen: what looks like the name asked for must show that it is not. */
function spelled(path: string): string {
  if (path.normalize("NFC") === path) return spell(path);
  return JSON.stringify(path).replace(/\p{M}/gu, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** A name nearly like it, or just that name elsewhere. */
async function likely(
  path: string,
  { folder, name, entries, total }: Level,
  looking: Looking,
): Promise<readonly string[]> {
  const near = nearest(
    name,
    entries.map((entry) => entry.name),
  );
  const meant = near === undefined ? [] : [join(folder, near)];
  const rest = path.slice(join(folder, name).length);
  for (const start of meant) if (await looking.files.exists(`${start}${rest}`, looking)) return [`${start}${rest}`];
  if (total > MOST_NAMES) return meant;
  const namesakes = await elsewhere(folder, path.slice(path.lastIndexOf("/") + 1), looking);
  return namesakes.length > 0 ? namesakes : meant;
}

interface Level {
  readonly folder: string;
  /** The first name of the path that is not in it. */
  readonly name: string;
  readonly entries: readonly ListedEntry[];
  readonly total: number;
}

async function deepestFolder(path: string, looking: Looking): Promise<Level> {
  let rest = path;
  for (let level = 0; level < HIGHEST; level += 1) {
    const cut = rest.lastIndexOf("/");
    const folder = rest.slice(0, cut) || "/";
    const listing = await list(folder, looking, { depth: 0, includeHidden: true }).catch((thrown: unknown) => {
      if (thrown instanceof NotFoundError) return undefined;
      throw thrown;
    });
    if (listing !== undefined) {
      const { folders, total } = listing;
      return { folder, name: rest.slice(cut + 1), entries: folders.flatMap(({ entries }) => entries), total };
    }
    rest = folder;
  }
  throw new NotFoundError(path);
}

/** A letter in three may be wrong, an extension in common being no likeness; case, and how accents are written, do not count; an extension may be missing. */
function nearest(name: string, names: readonly string[]): string | undefined {
  const normal = (each: string) => each.normalize("NFC").toLowerCase();
  const wanted = normal(name);
  return (
    nearestWithin(Math.floor(wanted.replace(/(?<=.)\.[^.]*$/, "").length / 3), wanted, { known: names, normal }) ??
    names.find((each) => normal(each).startsWith(`${wanted}.`))
  );
}

async function elsewhere(folder: string, name: string, looking: Looking): Promise<readonly string[]> {
  const glob = name.replaceAll(/[\\*?[\]{}!]/g, "\\$&");
  const { folders } = await list(folder, looking, { depth: DEEPEST, includeHidden: false, glob });
  const found = folders.flatMap(({ path, entries }) => entries.map((entry) => join(path, entry.name)));
  return found.length > MOST_NAMESAKES ? [] : found;
}

function list(
  folder: string,
  { files, signal }: Looking,
  wanted: { readonly depth: number; readonly includeHidden: boolean; readonly glob?: string },
) {
  const bounds = { maxEntries: MOST_NAMES, maxKeptBytes: 2 ** 20, maxMs: LONGEST_MS, maxFolders: MOST_FOLDERS };
  return files.list(folder, { ...wanted, ...bounds, signal });
}

function join(folder: string, name: string): string {
  return folder === "/" ? `/${name}` : `${folder}/${name}`;
}
