import type { Plant, Tables } from "./plants.js";

/** Violations of every row of FOLDERS, and an index.ts that a file of its own package imports. */
export function folderPlants({ FOLDERS, MAY_IMPORT, APPS }: Tables): Plant[] {
  const rows = Object.entries(FOLDERS).flatMap(([name, entries]) =>
    rowPlants(APPS.includes(name) ? `apps/${name}` : `packages/${name}`, entries),
  );
  return [...rows, ...Object.keys(MAY_IMPORT).map((name) => indexUser(`packages/${name}`))];
}

function rowPlants(dir: string, entries: readonly string[]): Plant[] {
  const last = entries.length - 1;
  const toNext = entries.slice(0, -1).map((from, index) => upward(dir, from, entries[index + 1] ?? ""));
  const toLast = entries.slice(0, -2).flatMap((from) => (isFile(from) ? [] : upward(dir, from, entries[last] ?? "")));
  return [...toNext, ...toLast, ...entries.flatMap((entry) => rootUsers(dir, entry)), unlisted(dir)];
}

const isFile = (entry: string) => entry.endsWith(".ts");

/** Path of the planted file; an entry that is itself a file is overwritten. */
const plantIn = (dir: string, entry: string, name: string) =>
  `${dir}/src/${isFile(entry) ? entry : `${entry}/${name}`}`;

function upward(dir: string, from: string, to: string): Plant {
  const name = `planted-${to.replace(/\.ts$/, "")}.ts`;
  const target = isFile(to) ? to : `${to}/planted-later.ts`;
  return {
    rule: `order:${dir}`,
    what: `${dir}/src: ${from} → ${to}`,
    file: plantIn(dir, from, name),
    text: `export * from "${isFile(from) ? "./" : "../"}${target.replace(/\.ts$/, ".js")}";\n`,
    beside: isFile(to) ? {} : { [`${dir}/src/${target}`]: "export const later = 1;\n" },
  };
}

/** Plants nothing for an entry that is itself a root file. */
function rootUsers(dir: string, entry: string): Plant[] {
  if (isFile(entry)) return [];
  const rule = `order:${dir}`;
  const beside = { [`${dir}/src/planted-root.ts`]: "export const root = 1;\nexport type Root = typeof root;\n" };
  return [
    {
      rule,
      what: `${dir}/src/${entry} imports a root file`,
      file: `${dir}/src/${entry}/planted-uses-root.ts`,
      text: 'export * from "../planted-root.js";\n',
      beside,
    },
    {
      rule,
      what: `a folder in ${dir}/src/${entry} imports a type of a root file`,
      file: `${dir}/src/${entry}/planted/uses-root-type.ts`,
      text: 'export type { Root } from "../../planted-root.js";\n',
      beside,
    },
  ];
}

function unlisted(dir: string): Plant {
  return {
    rule: "folder-listed",
    what: `a folder of ${dir} without an entry`,
    file: `${dir}/src/planted-folder/planted.ts`,
    text: 'export * from "node:path";\n',
  };
}

function indexUser(dir: string): Plant {
  return {
    rule: "index-last",
    what: `${dir} imports its own index.ts`,
    file: `${dir}/src/planted-index-user.ts`,
    text: 'export * from "./index.js";\n',
  };
}
