import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { configDocs, configKeys, exampleToml, OWN_KEYS } from "../src/index.js";
import { freshFolder } from "./fresh.js";

const none = new Set<string>();

test("the docs are the same every time, and have each key once", () => {
  const docs = configDocs(none);
  expect(configDocs(none)).toBe(docs);
  const rows = [...docs.matchAll(/^\| `(mcp\.[a-z_.]+)` \|/gm)].map(([, key]) => key);
  expect(rows).toEqual(configKeys().map(({ key }) => key));
});

test("each row has its type, its default and what it means", () => {
  expect(
    configDocs(none)
      .split("\n")
      .filter((line) => /`mcp\.(server\.port|auth\.token|tools\.run_cmd_allowlist)`/.test(line)),
  ).toEqual([
    "| `mcp.server.port` | a whole number from 0 to 65535 | `8080` | Port that the HTTP app binds; 0 takes any free one. |",
    '| `mcp.auth.token` | text | `""` | The token itself, where no environment variable has it; empty: kept in the data dir. Secret: never printed. |',
    "| `mcp.tools.run_cmd_allowlist` | a list of text | unset | Programs for run_cmd and te_run; [] allows none. Unset: linux_ops.commands.allowed_binaries, else built in. |",
  ]);
});

test("a key that nothing reads yet says so, and only that one", () => {
  const marked = configDocs(new Set(["mcp.server.port"]))
    .split("\n")
    .filter((line) => line.includes("**No effect yet.**"));
  expect(marked).toEqual([expect.stringMatching(/^\| `mcp\.server\.port` .* \*\*No effect yet\.\*\* \|$/)]);
});

test("every row of every table has four cells", () => {
  const rows = configDocs(none)
    .split("\n")
    .filter((line) => line.startsWith("| `mcp."));
  expect(rows.filter((row) => row.replaceAll("\\|", "").split("|").length !== 6)).toEqual([]);
});

test("the example is the same every time, and changes nothing as it stands", async () => {
  const { load, loadText } = await freshFolder();
  expect(exampleToml()).toBe(exampleToml());
  expect((await loadText(exampleToml())).mcp).toEqual((await load()).mcp);
});

test("the example has each key, and loads with each setting switched on", async () => {
  const { loadText } = await freshFolder();
  const on = exampleToml().replace(/^#(?=[a-z])/gm, "");
  const { mcp, warnings } = await loadText(on);

  expect(warnings).toEqual([]);
  const unset = configKeys().filter(({ key }) => read(mcp, key) === undefined);
  expect(unset).toEqual([]);
  expect(on.match(/^[a-z_]+ = /gm)).toHaveLength(configKeys().length);
});

function read(mcp: unknown, key: string): unknown {
  return key
    .split(".")
    .slice(1)
    .reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], mcp);
}

test("the committed example is the generated one", async () => {
  const file = join(import.meta.dirname, "../../../llmc.example.toml");
  expect(await readFile(file, "utf8")).toBe(exampleToml());
});

test("the keys said to have their effect here exist", () => {
  const keys = new Set(configKeys().map(({ key }) => key));
  expect([...OWN_KEYS].filter((key) => !keys.has(key))).toEqual([]);
});
