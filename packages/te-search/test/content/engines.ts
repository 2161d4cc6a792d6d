import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { findProgram } from "@llmc/te-shell";
import type { SearchSetup } from "../../src/index.js";
import { freshFolder, PACKAGED_RG } from "./desk.js";

export interface TestedEngine {
  readonly name: string;
  /** To be called in a test: its folder goes with it. */
  readonly setup: () => Partial<SearchSetup>;
}

const [rg, grep, xargs, bwrap] = await Promise.all([
  findProgram("rg"),
  findProgram("grep"),
  findProgram("xargs"),
  findProgram("bwrap"),
]);

/** A folder in which there are these programs and no others. */
export function folderOf(programs: readonly (string | null)[]): string {
  const folder = join(freshFolder(), "bin");
  mkdirSync(folder);
  for (const program of programs)
    if (program !== null) symlinkSync(program, join(folder, program.slice(program.lastIndexOf("/") + 1)));
  return folder;
}

function engine(name: string, packagedRg: string | null, programs: readonly (string | null)[]): TestedEngine[] {
  const own = { packagedRg };
  return [
    ...(bwrap === null
      ? []
      : [{ name: `${name} in the cell`, setup: () => ({ ...own, path: folderOf([...programs, xargs, bwrap]) }) }]),
    { name, setup: () => ({ ...own, path: folderOf([...programs, xargs]) }) },
  ];
}

/** Every way in which contents can be searched on this machine. */
export const ENGINES: readonly TestedEngine[] = [
  ...engine("packaged ripgrep", PACKAGED_RG, []),
  ...(rg === null ? [] : engine("ripgrep of the system", null, [rg])),
  ...(grep === null ? [] : engine("grep", null, [grep])),
];
