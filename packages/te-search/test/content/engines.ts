import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { findProgram } from "@llmc/te-run";
import { freshFolder, PACKAGED_RG, type DeskSetup } from "./desk.js";

export interface TestedEngine {
  readonly name: string;
  /** The same program without us, in whose arguments only pattern and path are missing. */
  readonly bare: readonly [string, ...string[]];
  /** To be called in a test: its folder goes with it. */
  readonly setup: () => DeskSetup;
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

interface Programs {
  readonly packagedRg: string | null;
  readonly programs: readonly (string | null)[];
  readonly bare: TestedEngine["bare"];
}

function engine(name: string, { packagedRg, programs, bare }: Programs): TestedEngine[] {
  const having = (more: readonly (string | null)[]) => () => ({ packagedRg, path: folderOf([...programs, ...more]) });
  const outside = { name, bare, setup: having([xargs]) };
  return bwrap === null ? [outside] : [{ name: `${name} in the cell`, bare, setup: having([xargs, bwrap]) }, outside];
}

/** Every way in which contents can be searched on this machine. */
export const ENGINES: readonly TestedEngine[] = [
  ...engine("packaged ripgrep", { packagedRg: PACKAGED_RG, programs: [], bare: [PACKAGED_RG, "--no-config", "-e"] }),
  ...(rg === null
    ? []
    : engine("ripgrep of the system", { packagedRg: null, programs: [rg], bare: [rg, "--no-config", "-e"] })),
  ...(grep === null ? [] : engine("grep", { packagedRg: null, programs: [grep], bare: [grep, "-r", "-e"] })),
];
