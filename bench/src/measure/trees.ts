import { closeSync, linkSync, mkdirSync, openSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface Tree {
  readonly folders: number;
  readonly filesInEach: number;
}

export function entriesOf({ folders, filesInEach }: Tree): number {
  return folders * (1 + filesInEach);
}

/** Folders of small files, as a source tree has them; every eighth file is a test. */
export function makeTree(root: string, { folders, filesInEach }: Tree): void {
  for (let index = 0; index < folders; index++) {
    const folder = join(root, `module-${String(index).padStart(3, "0")}`);
    mkdirSync(folder, { recursive: true });
    for (let file = 0; file < filesInEach; file++) {
      writeFileSync(join(folder, fileName(file)), `export const order = ${file};\n`);
    }
  }
}

function fileName(file: number): string {
  return `part-${String(file).padStart(3, "0")}.${file % 8 === 0 ? "test." : ""}ts`;
}

/** ext4 lets a file have 65,000 names. */
const NAMES_OF_ONE = 50_000;

/** One folder of many names. They are hard links, which are made in half the time that files take. */
export function makeCrowd(folder: string, count: number): void {
  mkdirSync(folder, { recursive: true });
  let source = "";
  for (let index = 0; index < count; index++) {
    const name = join(folder, `report-${String(index).padStart(7, "0")}.csv`);
    if (index % NAMES_OF_ONE === 0) closeSync(openSync((source = name), "wx"));
    else linkSync(source, name);
  }
}

export function countBelow(folder: string): number {
  return readdirSync(folder, { recursive: true }).length;
}
