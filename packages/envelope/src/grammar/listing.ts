import { posix } from "node:path";
import { asIs, made, type Grammar, type Piece } from "../shape/piece.js";
import { groupBy } from "../shape/group-by.js";

/** Characters that all names may take together; above, large folders are counted. */
const ROOM = 2400;
/** Names of the folder itself that are always told. */
const TOP = 40;

export interface ListingOptions {
  /** Takes the path out of a line; undefined where the line has none. */
  readonly pathOf?: (line: string) => string | undefined;
  readonly noise?: RegExp;
  readonly room?: number;
}

/** Paths: each folder once, with its names; in a long list the folders with their counts. */
export function listingGrammar({ pathOf = plainPath, noise, room = ROOM }: ListingOptions = {}): Grammar {
  return (lines) => {
    const entries: string[] = [];
    const rest: string[] = [];
    for (const line of lines) {
      const path = pathOf(line);
      if (path !== undefined) entries.push(path);
      else if (line.trim() !== "" && noise?.test(line) !== true) rest.push(line);
    }
    if (entries.length < 8) return undefined;
    return [...folders(entries, room), ...rest.map(asIs)];
  };
}

/** Puts the folder of a heading, as `ls -R` prints it, in front of the names below it. */
export function withFolders(lines: readonly string[]): string[] {
  let folder = "";
  return lines.flatMap((line, at) => {
    const isHeading = line.endsWith(":") && (at === 0 || lines[at - 1] === "");
    if (isHeading) folder = `${line.slice(0, -1)}/`;
    return isHeading || line === "" ? [] : [folder + line];
  });
}

function plainPath(line: string): string | undefined {
  return /^[^\s:][^:]*$/.test(line) && !/^[A-Z][a-z]+ing\b/.test(line) ? line : undefined;
}

/** Leaves out folders that are named only because something in them is. */
function folders(paths: readonly string[], room: number): Piece[] {
  const byFolder = groupBy(
    paths.map((path) => path.replace(/^\.\/(?=.)/, "")),
    (path) => posix.dirname(path.replace(/(?<=.)\/$/, "")),
  );
  for (const each of [Infinity, 12, 4, 2, 0]) {
    const pieces = [...byFolder].map(([folder, inside]) =>
      folderLine(folder, inside, folder === "." ? Math.max(each, TOP) : each),
    );
    const size = pieces.reduce((sum, { text }) => sum + text.length, 0);
    if (size <= room) return [made(`${paths.length} paths`), ...pieces];
  }
  return [made(`${paths.length} paths`), ...largest(byFolder)];
}

function folderLine(folder: string, inside: readonly string[], max: number): Piece {
  const names = inside.map((path) => (path.endsWith("/") ? `${posix.basename(path)}/` : posix.basename(path)));
  const shown = names.slice(0, max).map((name) => (/[\s,]/.test(name) ? JSON.stringify(name) : name));
  const label = folder === "." ? "./" : `${folder.replace(/\/$/, "")}/`;
  const more = names.length - shown.length;
  if (more === 0) return made(`${label}: ${shown.join(" ")}`, inside.length);
  return made(`${label}: ${shown.join(" ")}${shown.length > 0 ? " …" : ""} (${names.length})`, shown.length);
}

const SHOWN_FOLDERS = 40;

/** Too many folders for a line each: counted by their first parts, the fullest with their own names. */
function largest(byFolder: ReadonlyMap<string, readonly string[]>): Piece[] {
  const all = [...byFolder];
  const first = all[0];
  for (let depth = 6; depth >= 1; depth -= 1) {
    const groups = groupBy(all, ([folder]) => folder.split("/").slice(0, depth).join("/"));
    if (groups.size > SHOWN_FOLDERS && depth > 1) continue;
    const lines = [...groups].slice(0, SHOWN_FOLDERS).map(([folder, some]) => {
      const count = some.reduce((sum, [, inside]) => sum + inside.length, 0);
      return made(`${folder}/ (${count})`);
    });
    const more = groups.size > SHOWN_FOLDERS ? [made(`… ${groups.size - SHOWN_FOLDERS} more folders`)] : [];
    const last = all.at(-1)?.[1].at(-1);
    const top = byFolder.get(".") ?? [];
    const head = top.length > 0 ? [folderLine(".", top, TOP)] : first === undefined ? [] : [asIs(first[1][0] ?? "")];
    return [...head, ...lines, ...more, ...(last === undefined ? [] : [asIs(last)])];
  }
  return [];
}
