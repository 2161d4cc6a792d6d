import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { expect } from "vitest";
import { connectHttp, connectStdio, test } from "./servers.js";
import { copyOfSources } from "./sources.js";

interface Found {
  readonly hits: readonly { readonly path: string; readonly line: number; readonly snippet: string }[];
  readonly total_hits: number;
  readonly truncated: boolean;
  readonly handle: string | null;
}

function plant(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}

async function ask(client: Client, name: string, args: Record<string, unknown>): Promise<Found> {
  const result = await client.callTool({ name, arguments: args });
  expect([result.isError ?? false, result.content]).toEqual([false, expect.anything()]);
  return result.structuredContent as Found;
}

async function refusal(client: Client, name: string, args: Record<string, unknown>): Promise<string> {
  const result = await client.callTool({ name, arguments: args });
  expect(result.isError).toBe(true);
  return (result.content as { text: string }[]).map(({ text }) => text).join("\n");
}

test("search_files finds by part of a name and by glob, within roots and bounds (001-R12, 001-R13, 002-3.2.1, 002-L1-5)", async ({
  root,
  home,
  http,
  stdio,
}) => {
  plant(root, { "src/user.ts": "", "src/user.test.ts": "", "docs/guide.md": "", ".env": "", "superuser.txt": "" });
  plant(home, { "outside/user.ts": "" });
  symlinkSync(join(home, "outside"), join(root, "link"));
  const overHttp = await connectHttp(http);
  for (const client of [stdio.client, overHttp]) {
    const paths = async (args: Record<string, unknown>): Promise<string[]> =>
      (await ask(client, "linux_search_files", { root, ...args })).hits.map(({ path }) => path.slice(root.length + 1));
    expect(await paths({ pattern: "user" })).toEqual(["src/user.ts", "src/user.test.ts", "superuser.txt"]);
    expect(await paths({ pattern: "*.md" })).toEqual(["docs/guide.md"]);
    expect(await paths({ pattern: "user", file_glob: "src/**" })).toEqual(["src/user.ts", "src/user.test.ts"]);
    const one = await ask(client, "linux_search_files", { root, pattern: "user", max_results: 1 });
    expect([one.hits.length, one.total_hits, one.truncated, typeof one.handle]).toEqual([1, 3, true, "string"]);
    expect(await refusal(client, "linux_search_files", { root: "/etc", pattern: "x" })).toMatch(/^INVALID_PATH/);
    expect(await refusal(client, "linux_search_files", { root: `${root}/link`, pattern: "x" })).toMatch(
      /^INVALID_PATH/,
    );
  }
  await overHttp.close();
});

test("search_content finds by pattern and glob, literally or by regex, in any case, with context (001-R14, 001-R15, 002-3.2.2)", async ({
  root,
  http,
  stdio,
}) => {
  plant(root, { "a.ts": "one\nconst Port = a[0];\nthree\n", "b.md": "the port\n" });
  const overHttp = await connectHttp(http);
  for (const client of [stdio.client, overHttp]) {
    const places = async (args: Record<string, unknown>): Promise<string[]> =>
      (await ask(client, "linux_search_content", { root, ...args })).hits.map(
        ({ path, line }) => `${path.slice(root.length + 1)}:${line}`,
      );
    expect(await places({ pattern: "port" })).toEqual(["a.ts:2", "b.md:1"]);
    expect(await places({ pattern: "port", file_glob: "*.md" })).toEqual(["b.md:1"]);
    expect(await places({ pattern: "port", ignore_case: false })).toEqual(["b.md:1"]);
    expect(await places({ pattern: "^const \\w+ =" })).toEqual(["a.ts:2"]);
    expect(await places({ pattern: "a[0]", literal: true })).toEqual(["a.ts:2"]);
    const { hits } = await ask(client, "linux_search_content", { root, pattern: "Port =", context_lines: 1 });
    expect(hits.map(({ snippet }) => snippet)).toEqual(["one\nconst Port = a[0];\nthree"]);
    expect(await refusal(client, "linux_search_content", { root, pattern: "a(" })).toMatch(
      /^INVALID_ARGUMENT: .*unclosed group[^]*literal: true/,
    );
    expect(await refusal(client, "linux_search_content", { root: "/etc", pattern: "root" })).toMatch(/^INVALID_PATH/);
  }
  await overHttp.close();
});

test("hits are structured, and all of them are behind the handle (001-R16, 002-L1-8)", async ({
  root,
  http,
  stdio,
}) => {
  plant(root, { "a.txt": "a hit\n".repeat(3000) });
  const overHttp = await connectHttp(http);
  for (const client of [stdio.client, overHttp]) {
    const found = await ask(client, "linux_search_content", { root, pattern: "hit", max_results: 10 });
    expect([found.hits.length, found.total_hits, found.truncated]).toEqual([10, 3000, true]);
    let data = "";
    for (let offset: number | null = 0; offset !== null;) {
      const slice = await client.callTool({ name: "linux_handle_read", arguments: { handle: found.handle, offset } });
      const part = slice.structuredContent as { data: string; next_offset: number | null };
      data += part.data;
      offset = part.next_offset;
    }
    const all = JSON.parse(data) as Found["hits"];
    expect(all).toHaveLength(3000);
    expect(all.at(-1)).toEqual({ path: join(root, "a.txt"), line: 3000, snippet: "a hit" });
  }
  await overHttp.close();
});

async function text(client: Client, name: string, args: Record<string, unknown>): Promise<string> {
  const result = await client.callTool({ name, arguments: args });
  expect([result.isError ?? false, result.content]).toEqual([false, expect.anything()]);
  return (result.content as { text: string }[]).map((block) => block.text).join("\n");
}

test("a model reads one hit as a whole definition, many as their lines, and a flood of lines folded", async ({
  root,
  stdio: { client },
}) => {
  const lines = Array.from({ length: 100 }, (_, nth) => `10:00:${nth} GET /item/${nth} took ${nth} ms`);
  const uses = Array.from({ length: 8 }, (_, nth) => [`use${nth}.ts`, `// above\nstart(${nth});\n// below\n`]);
  plant(root, {
    "server.ts": "/** Starts. */\nexport function start(n: number) {\n  if (n) listen(n);\n  return n;\n}\n\nrest();\n",
    "app.log": `${lines.join("\n")}\n10:02:00 GET failed\n`,
    ...(Object.fromEntries(uses) as Record<string, string>),
  });
  const search = (args: Record<string, unknown>): Promise<string> => text(client, "linux_search_content", args);
  expect(await search({ pattern: "function start" })).toBe(
    `[1 hit in 1 file]\nserver.ts\n1- /** Starts. */\n2: export function start(n: number) {\n3-   if (n) listen(n);\n4-   return n;\n5- }`,
  );
  const many = await search({ pattern: "start\\(", file_glob: "*.ts" });
  expect(many.split("\n").slice(0, 5)).toEqual([
    `[9 hits in 9 files · context_lines adds the lines around]`,
    "server.ts",
    "2: export function start(n: number) {",
    "use0.ts",
    "2: start(0);",
  ]);
  expect(await search({ pattern: "start\\(", file_glob: "use*", context_lines: 1 })).toContain(
    "use0.ts\n1- // above\n2: start(0);\n3- // below\nuse1.ts",
  );
  const flood = (await search({ pattern: "GET" })).replace(/(?<= · all: )[^\]]+/, "H");
  expect(flood)
    .toBe(`[100 of 101 hits in 1 file · similar lines folded; context_lines=0 shows each · more: file_glob, mode="files", max_results · all: H]
app.log
1: ${lines[0]}
… 97 more like it, up to line 98
99: ${lines[98]}
101: 10:02:00 GET failed
…and in app.log 1`);
  expect(countTokens(flood)).toBeLessThan(150);
});

test("a model need not name a root, may call it path, and a broken regex is searched as text", async ({
  root,
  stdio: { client },
}) => {
  plant(root, { "src/a.ts": "call(x\n", "b.ts": "call(x\n" });
  const search = (args: Record<string, unknown>): Promise<string> => text(client, "linux_search_content", args);
  expect(await search({ pattern: "call(x" })).toMatch(
    /^\[2 hits in 2 files\]\nNot a valid regular expression \(unclosed group\); searched as plain text\.\nb\.ts\n1: call\(x\n/,
  );
  expect(await search({ pattern: "call", path: "src" })).toBe(`[1 hit in 1 file]\nsrc/a.ts\n1: call(x`);
  expect(await text(client, "linux_search_files", { pattern: "*.ts", path: "src" })).toBe(`[1 found]\nsrc/a.ts`);
  expect(await refusal(client, "linux_search_content", { pattern: "call(y" })).toMatch(
    /^INVALID_ARGUMENT: Not a valid/,
  );
  const listed = (await client.listTools()).tools.find(({ name }) => name === "linux_search_content");
  expect(Object.keys(listed?.inputSchema.properties ?? {})).toEqual(
    expect.arrayContaining(["root", "pattern", "mode", "include_hidden"]),
  );
  expect(listed?.inputSchema.required).toEqual(["pattern"]);
});

test("head, tail and grep of what a handle keeps, with listed arguments alone", async ({ root, stdio: { client } }) => {
  const lines = Array.from(
    { length: 20_000 },
    (_, nth) => `step ${nth + 1}${nth === 12_344 ? " FAILED: no space" : ""}`,
  );
  plant(root, { "build.log": `${lines.join("\n")}\n` });
  const run = await client.callTool({ name: "run_cmd", arguments: { command: ["cat", "build.log"] } });
  const handle = /[Hh](?:_[\w]+|\d{6})/.exec(JSON.stringify(run.content))?.[0] ?? "";
  const ask = (args: Record<string, unknown>): Promise<string> =>
    text(client, "linux_handle_read", { handle, ...args });
  expect(await ask({ lines: "1-2" })).toMatch(/ · lines 1-2 of 20,000 lines\]\nstep 1\nstep 2\n$/);
  expect(await ask({ lines: "-1" })).toMatch(/ · lines 20000-20000 of 20,000 lines\]\nstep 20000\n$/);
  expect(await ask({ match: "failed" })).toMatch(/ · 1 hit in 20,000 lines\]\n12345: step 12345 FAILED: no space\n$/);
  expect(await text(client, "linux_search_content", { root: handle, pattern: "FAILED" })).toMatch(
    /^\[\S+ · 1 hit\]\n12342- step 12342\n12343- step 12343\n12344- step 12344\n12345: step 12345 FAILED: no space\n12346- step 12346\n/,
  );
  const listed = (await client.listTools()).tools.find(({ name }) => name === "linux_handle_read");
  expect(Object.keys(listed?.inputSchema.properties ?? {})).toEqual(
    expect.arrayContaining(["handle", "lines", "match"]),
  );
});

const repository = join(import.meta.dirname, "../../..");

const ours = join(repository, "packages");
/** Fixed by the lockfile. */
const zods = (): string => dirname(createRequire(join(ours, "linux-ops/package.json")).resolve("zod/package.json"));

test.skipIf(!existsSync(ours)).for([
  ["our sources", () => ours, /^[^/]+\/src\/.*\.ts$/],
  ["those of zod", () => join(zods(), "src"), /^v4\/(?:core|classic)\/[^/]+\.ts$/],
] as const)(
  "the line that defines a symbol is in the first answer (002-2.7, 002-L1-4): %s",
  { timeout: 120_000 },
  async ([, folder, isSource], { root, home }) => {
    const definitions = copyOfSources(folder(), root, isSource);
    const { client } = await connectStdio(root, home);
    const missed: string[] = [];
    for (const { symbol, line } of definitions) {
      const answer = await client.callTool({ name: "linux_search_content", arguments: { root, pattern: symbol } });
      const text = (answer.content as { text: string }[])[0]?.text ?? "";
      if (!text.includes(line)) missed.push(symbol);
    }
    expect([definitions.length, missed]).toEqual([30, []]);
    await client.close();
  },
);
