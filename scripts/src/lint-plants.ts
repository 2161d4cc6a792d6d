import type { Plant } from "./plants.js";

/** Globals that no import graph sees, and the rules on promises and types: one file each, oxlint's rule as it names it. */
export function lintPlants(): Plant[] {
  return [
    ...forbidden("packages/toolkit/src", ["env", "kill", "getBuiltinModule", "fetch", "import"]),
    ...forbidden("packages/config/src", ["kill", "getBuiltinModule", "fetch", "import"]),
    ...forbidden("packages/te-run/src", ["getBuiltinModule", "fetch", "import"]),
    ...forbidden("packages/te-shell/src", ["getBuiltinModule", "fetch", "import"]),
    ...forbidden("apps/mcp-stdio/src", ["env", "kill", "getBuiltinModule", "fetch", "import"]),
    ...SINGLE.map(([rule, text], index) => ({
      rule,
      what: text,
      file: `packages/errors/src/planted-lint-${index}.ts`,
      text: `${text}\n`,
    })),
  ];
}

/** What an owner may do: none of these may be reported. */
export function allowedPlants(): Omit<Plant, "rule">[] {
  return [
    allowed("packages/config/src/planted-allowed.ts", "export const planted = process.env;"),
    ...["te-run", "te-shell"].map((name) =>
      allowed(
        `packages/${name}/src/planted-allowed.ts`,
        "export const planted = (): unknown => [process.env, process.kill(1, 0)];",
      ),
    ),
    allowed("apps/mcp-stdio/src/main.ts", "console.error(process.env);"),
  ];
}

const allowed = (file: string, text: string) => ({ what: `${file}: ${text}`, file, text: `${text}\n` });

type Global = "env" | "kill" | "getBuiltinModule" | "fetch" | "import";

const properties = (name: string): [string, string][] => [
  ["no-restricted-properties", `export const planted = process.${name};`],
  ["no-restricted-properties", `export const planted = process["${name}"];`],
  ["no-restricted-properties", `export const { ${name}: planted } = process;`],
];

// Each spelling that reaches the same thing.
const SPELLINGS: Readonly<Record<Global, readonly [rule: string, text: string][]>> = {
  env: [...properties("env"), ["no-restricted-properties", "export const planted = globalThis.process.env;"]],
  kill: properties("kill"),
  getBuiltinModule: properties("getBuiltinModule"),
  fetch: [
    ["no-restricted-globals", 'export const planted = () => fetch("http://127.0.0.1");'],
    ["no-restricted-globals", "export const planted = globalThis.fetch;"],
  ],
  import: [
    ["no-restricted-imports", 'import { env } from "node:process";\nexport const planted = env;'],
    ["no-restricted-imports", 'import own from "process";\nexport const planted = own;'],
    ["no-dynamic-require", "export const planted = (name: string) => import(name);"],
  ],
};

function forbidden(folder: string, globals: readonly Global[]): Plant[] {
  return globals.flatMap((global) =>
    SPELLINGS[global].map(([rule, text], index) => ({
      rule,
      what: `${folder}: ${text}`,
      file: `${folder}/planted-${global}-${index}.ts`,
      text: `${text}\n`,
    })),
  );
}

const SLOW = "async function slow(): Promise<number> {\n  return 1;\n}\n";

const SINGLE: readonly [rule: string, text: string][] = [
  ["no-floating-promises", `${SLOW}export function planted(): void {\n  slow();\n}`],
  [
    "no-misused-promises",
    `${SLOW}export const planted = (list: number[]) => list.filter(async () => (await slow()) > 0);`,
  ],
  ["await-thenable", "export async function planted(): Promise<void> {\n  await 1;\n}"],
  [
    "return-await",
    `${SLOW}export async function planted(): Promise<number> {\n  try {\n    return slow();\n  } catch {\n    return 0;\n  }\n}`,
  ],
  [
    "switch-exhaustiveness-check",
    'export function planted(code: "a" | "b"): number {\n  switch (code) {\n    case "a":\n      return 1;\n  }\n  return 2;\n}',
  ],
  ["no-explicit-any", "export const planted = (value: any): unknown => value;"],
  ["consistent-type-imports", 'import { OpsError } from "./ops-error.js";\nexport type Planted = OpsError;'],
  ["no-default-export", "export default 1;"],
  ["eqeqeq", "export const planted = (value: unknown): boolean => value == 1;"],
  ["no-console", 'console.log("planted");'],
  ["no-eval", 'export const planted = (): unknown => eval("1");'],
  ["no-new-func", 'export const planted = new Function("return 1");'],
];
