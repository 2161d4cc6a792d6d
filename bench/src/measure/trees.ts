import { closeSync, linkSync, mkdirSync, openSync, readdirSync } from "node:fs";
import { join } from "node:path";

export interface Tree {
  readonly folders: number;
  readonly filesInEach: number;
  /** The files of a folder are names of one file: made in a tenth of the time, and no dearer to look at. */
  readonly linked?: boolean;
}

export function entriesOf({ folders, filesInEach }: Tree): number {
  return folders * (1 + filesInEach);
}

/** Folders of empty files, named as in a source tree; every eighth one is a test. */
export function makeTree(root: string, { folders, filesInEach, linked = false }: Tree): void {
  for (let index = 0; index < folders; index++) {
    const folder = join(root, `module-${String(index).padStart(3, "0")}`);
    mkdirSync(folder, { recursive: true });
    for (let file = 0; file < filesInEach; file++) {
      const path = join(folder, fileName(file));
      if (linked && file > 0) linkSync(join(folder, fileName(0)), path);
      else makeEmpty(path);
    }
  }
}

function fileName(file: number): string {
  return `part-${String(file).padStart(3, "0")}.${file % 8 === 0 ? "test." : ""}ts`;
}

/** ext4 lets a file have 65,000 names. */
const NAMES_OF_ONE = 50_000;

/** One folder of many names, linked as well. */
export function makeCrowd(folder: string, count: number): void {
  mkdirSync(folder, { recursive: true });
  let source = "";
  for (let index = 0; index < count; index++) {
    const name = join(folder, `report-${String(index).padStart(7, "0")}.csv`);
    if (index % NAMES_OF_ONE === 0) makeEmpty((source = name));
    else linkSync(source, name);
  }
}

function makeEmpty(path: string): void {
  closeSync(openSync(path, "wx"));
}

export function countBelow(folder: string): number {
  return readdirSync(folder, { recursive: true }).length;
}
