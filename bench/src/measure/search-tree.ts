import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

export interface Grove {
  readonly folders: number;
  readonly filesInEach: number;
}

const WORDS =
  "account address cache client config const error event export field filter function handler header import index item job key line list message name number object option order parse path query read record request result return row schema session state store stream string table task text token type user value view write".split(
    " ",
  );

/** What is looked for: stands once in a grove. */
export const RARE = "theOnlyNeedleInHere";
/** Stands in about every eighth file, and nothing else matches it. */
export const COMMON = String.raw`function common\w+\(`;
/** Put together, so that it does not stand here either. */
export const NOWHERE = ["this", "Stands", "Nowhere"].join("");

/** Files of about eight kilobytes, as long and as deep as sources are. The same each time. */
export function makeGrove(root: string, { folders, filesInEach }: Grove): void {
  const next = numbers();
  for (let nth = 0; nth < folders; nth += 1) {
    const folder = join(root, `package-${nth % 25}`, "src", `module-${nth}`);
    mkdirSync(folder, { recursive: true });
    for (let file = 0; file < filesInEach; file += 1) {
      const lines = textOf(next, 170 + Math.floor(next() * 60));
      if (file % 8 === 3) lines[20] = `export function common${nth}x${file}(value) {`;
      if (nth === Math.floor(folders / 2) && file === 5) lines[30] = `const ${RARE} = true;`;
      writeFileSync(join(folder, `part-${file}.ts`), `${lines.join("\n")}\n`);
    }
  }
}

function textOf(next: () => number, count: number): string[] {
  return Array.from({ length: count }, () => {
    const words = Array.from({ length: 3 + Math.floor(next() * 8) }, () => WORDS[Math.floor(next() * WORDS.length)]);
    return `${"  ".repeat(Math.floor(next() * 4))}${words.join(next() < 0.5 ? " " : ".")};`;
  });
}

/** Numbers from 0 to 1 that are the same in each run. */
function numbers(): () => number {
  let seed = 20_250_101;
  return () => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7f_ff_ff_ff;
    return seed / 0x80_00_00_00;
  };
}

const LEFT_OUT: ReadonlySet<string> = new Set([
  ".git",
  ".build",
  ".peers",
  ".reports",
  ".turbo",
  "dist",
  "node_modules",
]);

/** This repository, without what was made of it. */
export function copyCheckout(repository: string, root: string): void {
  cpSync(repository, root, { recursive: true, filter: (path) => !LEFT_OUT.has(basename(path)) });
}
