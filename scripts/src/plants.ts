/** One violation: the file that breaks the rule, and the files it needs beside it. */
export interface Plant {
  readonly rule: string;
  /** What is wrong, as in `errors → config`. */
  readonly what: string;
  readonly file: string;
  readonly text: string;
  readonly beside?: Readonly<Record<string, string>>;
}

export interface Tables {
  readonly MAY_IMPORT: Readonly<Record<string, readonly string[]>>;
  readonly APPS: readonly string[];
  /** The order inside each package: folders, and root files that folders import; lowest first. */
  readonly FOLDERS: Readonly<Record<string, readonly string[]>>;
  readonly FENCES: readonly {
    readonly name: string;
    readonly owners: readonly string[];
    readonly except?: readonly string[];
  }[];
}

const scoped = (name: string) => `@llmc/${name}`;

/** Each edge that no row allows, upward and sideways, as a value and as a type; and apps that use each other. */
export function layerPlants({ MAY_IMPORT, APPS }: Tables): Plant[] {
  const packages = Object.entries(MAY_IMPORT).flatMap(([from, below]) =>
    [...Object.keys(MAY_IMPORT), ...APPS]
      .filter((to) => to !== from && !below.includes(to))
      .flatMap((to) => edge(`packages/${from}`, to)),
  );
  const apps = APPS.flatMap((from) => APPS.filter((to) => to !== from).flatMap((to) => edge(`apps/${from}`, to)));
  return [...packages, ...apps];
}

function edge(dir: string, to: string): Plant[] {
  const rule = `layer:${dir}`;
  return [
    {
      rule,
      what: `${dir} → ${to}`,
      file: `${dir}/src/planted-${to}.ts`,
      text: `import * as other from "${scoped(to)}";\nexport const planted = other;\n`,
    },
    {
      rule,
      what: `${dir} → ${to}, types only`,
      file: `${dir}/src/planted-${to}-type.ts`,
      text: `import type * as Other from "${scoped(to)}";\nexport type Planted = typeof Other;\n`,
    },
  ];
}

// What each capability looks like in an import, one spelling after the other.
const CAPABILITIES: Readonly<Record<string, readonly string[]>> = {
  fs: ["node:fs", "node:fs/promises", "fs", "fs/promises"],
  spawn: ["node:child_process", "child_process", "node:cluster"],
  launchers: ["execa", "cross-spawn", "nano-spawn", "tinyexec"],
  db: ["node:sqlite", "better-sqlite3", "drizzle-orm", "drizzle-orm/sqlite-core"],
  mcp: ["@modelcontextprotocol/sdk/server/index.js", "@modelcontextprotocol/sdk/types.js"],
  hono: ["hono", "@hono/node-server"],
  net: ["node:net", "node:http", "node:https", "node:http2", "node:tls", "node:dgram", "node:dns", "node:dns/promises"],
  pty: ["@lydell/node-pty", "node-pty"],
  require: ["node:module"],
};

/** Each capability, by a static and by a dynamic import, in a package that does not own it. */
export function fencePlants({ MAY_IMPORT, APPS, FENCES }: Tables): Plant[] {
  const dirs = [...Object.keys(MAY_IMPORT).map((name) => `packages/${name}`), ...APPS.map((name) => `apps/${name}`)];
  return FENCES.flatMap(({ name, owners }) => {
    const modules = CAPABILITIES[name];
    if (modules === undefined) throw new Error(`The fence ${name} has no plants: give it a row in CAPABILITIES.`);
    const strangers = dirs.filter((dir) => !owners.includes(dir));
    return strangers.flatMap((dir) => modules.flatMap((module, index) => capability(name, dir, module, index)));
  });
}

function capability(fence: string, dir: string, module: string, index: number): Plant[] {
  const file = `${dir}/src/planted-${fence}-${index}`;
  const rule = `fence:${fence}`;
  return [
    { rule, what: `${dir} imports ${module}`, file: `${file}.ts`, text: `import "${module}";\n` },
    {
      rule,
      what: `${dir} imports ${module} dynamically`,
      file: `${file}-dynamic.ts`,
      text: `export const planted = () => import("${module}");\n`,
    },
  ];
}

/** The rules that are about single files rather than tables. */
export function singlePlants(): Plant[] {
  return [
    {
      rule: "listed",
      what: "a package without a row",
      file: "packages/planted/src/index.ts",
      text: 'export { OpsError } from "@llmc/errors";\n',
      beside: { "packages/planted/package.json": JSON.stringify({ name: "@llmc/planted", type: "module" }) },
    },
    {
      rule: "entry-only",
      what: "a file of another package",
      file: "packages/linux-ops/src/planted-deep.ts",
      text: 'export * from "../../te-fs/src/planted-inner.js";\n',
      beside: { "packages/te-fs/src/planted-inner.ts": "export const inner = 1;\n" },
    },
    {
      rule: "entry-only",
      what: "a file of a te package, from an app",
      file: "apps/mcp-stdio/src/planted-deep.ts",
      text: 'export * from "../../../packages/te-fs/src/planted-inner-2.js";\n',
      beside: { "packages/te-fs/src/planted-inner-2.ts": "export const inner = 1;\n" },
    },
    {
      rule: "resolvable",
      what: "a file of another package, through its name",
      file: "apps/mcp-stdio/src/planted-deep-name.ts",
      text: 'export * from "@llmc/te-fs/src/index.js";\n',
    },
    {
      rule: "resolvable",
      what: "a file that is not there",
      file: "packages/errors/src/planted-nowhere.ts",
      text: 'export * from "./planted-gone.js";\n',
    },
    {
      rule: "src-only",
      what: "its own tests",
      file: "packages/errors/src/planted-test.ts",
      text: 'export * from "../test/planted.js";\n',
      beside: { "packages/errors/test/planted.ts": "export const inner = 1;\n" },
    },
    {
      rule: "no-cycles",
      what: "a cycle",
      file: "packages/errors/src/planted-hen.ts",
      text: 'export { egg } from "./planted-egg.js";\nexport const hen = 1;\n',
      beside: {
        "packages/errors/src/planted-egg.ts": 'export { hen } from "./planted-hen.js";\nexport const egg = 1;\n',
      },
    },
    {
      rule: "no-orphans",
      what: "a file that nobody needs",
      file: "packages/errors/src/planted-orphan.ts",
      text: "export const planted = 1;\n",
    },
    {
      rule: "declared",
      what: "a dependency that package.json does not name",
      file: "packages/errors/src/planted-undeclared.ts",
      text: 'import "fast-check";\n',
    },
    {
      rule: "declared",
      what: "a dependency that an app does not name",
      file: "apps/mcp-stdio/src/planted-undeclared.ts",
      text: 'import "fast-check";\n',
    },
    {
      rule: "declared",
      what: "a workspace package that package.json does not name",
      file: "packages/errors/src/planted-undeclared-workspace.ts",
      text: 'import "@llmc/toolkit";\n',
    },
    {
      rule: "declared",
      what: "a devDependency",
      file: "packages/planted-dev/src/index.ts",
      text: 'import "zod";\n',
      beside: {
        "packages/planted-dev/package.json": JSON.stringify({
          name: "@llmc/planted-dev",
          type: "module",
          devDependencies: { zod: "catalog:" },
        }),
      },
    },
  ];
}
