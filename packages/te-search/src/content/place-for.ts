import { holdRoot } from "../search-root/hold-root.js";
import { isUtf8 } from "node:buffer";
import { randomUUID } from "node:crypto";
import type { Files } from "@llmc/te-fs";
import { dieWithParent, run, type Cell } from "@llmc/te-run";
import type { Bytes } from "@llmc/names";
import type { SearchRoot } from "../search-root/search-root.js";
import type { Place } from "./place.js";

/** Environment of an engine that runs without a sandbox. */
export const ENVIRONMENT = { baseEnv: {}, env: { LANG: "C.UTF-8", LC_ALL: "C.UTF-8" } };

export async function placeFor(
  files: Pick<Files, "scope">,
  searchRoot: SearchRoot,
  cell: Cell | undefined,
): Promise<Place> {
  const root = await holdRoot(files.scope, searchRoot);
  const sight = cell === undefined ? undefined : sightOf(searchRoot, root.fd);
  if (cell === undefined || sight === undefined) {
    return {
      held: "witness",
      searchRoot: undefined,
      // The descriptor is the program's own by the time that its folder is chosen.
      run: async (argv, _at, options) =>
        await run(await dieWithParent(argv), {
          ...options,
          ...ENVIRONMENT,
          third: root.fd,
          cwd: `/proc/self/fd/${root.fd}`,
        }),
      close: root.close,
    };
  }
  const cwd = textOf(`${sight.at === "/" ? "" : sight.at}${belowRoot(searchRoot, searchRoot.real)}` || "/");
  return {
    held: "bubblewrap",
    searchRoot: searchRoot.kind === "folder" ? cwd : undefined,
    run: async (argv, at, options, programs = []) =>
      await cell.run(
        argv,
        { ...sight, cwd: at === "search root" && cwd !== undefined ? cwd : sight.at, programs },
        options,
      ),
    close: root.close,
  };
}

/** Undefined where something closed cannot be named. */
function sightOf(
  searchRoot: SearchRoot,
  fd: number,
): { fd: number; at: string; closed: { path: string; kind: "file" | "folder" }[] } | undefined {
  const at = searchRoot.root.real === "/" ? "/" : secretName();
  const closed: { path: string; kind: "file" | "folder" }[] = [];
  for (const { real, kind } of searchRoot.closed) {
    if (kind === "absent") continue;
    const below = textOf(belowRoot(searchRoot, real));
    if (below === undefined) return undefined;
    closed.push({ path: `${at === "/" ? "" : at}${below}`, kind });
  }
  return { fd, at, closed };
}

/** What an engine tells of a file is known by it: the name of a file can imitate all else. */
function secretName(): string {
  return `/${randomUUID().slice(0, 8)}`;
}

/** From the root on: "" or "/" and a way. */
export function belowRoot({ root }: SearchRoot, real: Bytes): Bytes {
  if (real === root.real) return "";
  return real.slice(root.real === "/" ? 0 : root.real.length);
}

function textOf(bytes: Bytes): string | undefined {
  const buffer = Buffer.from(bytes, "latin1");
  return isUtf8(buffer) ? buffer.toString("utf8") : undefined;
}
