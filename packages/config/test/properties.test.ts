import * as fc from "fast-check";
import { stringify } from "smol-toml";
import { expect, test } from "vitest";
import {
  ConfigError,
  configKeys,
  printToml,
  settingsOf,
  type ConfigKey,
  type McpConfig,
  type McpInput,
  type Settings,
} from "../src/index.js";
import { freshFolder } from "./fresh.js";

const FORMED: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  "mcp.te.budgets": fc.dictionary(
    fc.stringMatching(/^[a-zA-Z0-9_-]{1,9}$/),
    fc.record({ tokens: fc.integer({ min: 1, max: 1_000_000_000 }) }, { noNullPrototype: true }),
    { maxKeys: 3, noNullPrototype: true },
  ),
  "mcp.config_version": fc.constant("v0"),
  "mcp.server.host": fc.constantFrom("::1", "localhost", "box.lan"),
  "mcp.server.allowed_hosts": fc.array(fc.domain(), { maxLength: 3 }),
  "mcp.auth.header": fc.stringMatching(/^[A-Za-z-]{1,20}$/),
  "mcp.auth.token_env": fc.stringMatching(/^[A-Z_]{1,20}$/),
  "mcp.auth.token": fc.stringMatching(/^[!-~]{16,40}$/),
  "mcp.observability.metrics_path": fc.stringMatching(/^\/[a-z]{9,20}$/),
  "mcp.rag.embeddings.base_url": fc.webUrl(),
  "mcp.rag.llmc_http.base_url": fc.webUrl(),
  "mcp.rag.llmc_http.token_env": fc.stringMatching(/^[A-Z_]{1,20}$/),
  "mcp.linux_ops.roots.deny": fc.array(fc.stringMatching(/^\.[a-z]{1,9}(\/[a-z]{1,9})?$/), { maxLength: 3 }),
  "mcp.linux_ops.commands.env_pass": fc.array(fc.stringMatching(/^[A-Z]{1,9}$/), { maxLength: 3 }),
};

const word = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 12 })
  .filter((text) => text !== "*" && !text.includes("\0"));
const path = fc
  .array(fc.stringMatching(/^[a-z0-9 ü'"-]{1,8}$/), { minLength: 1, maxLength: 3 })
  .map((parts) => `/${parts.join("/")}`);

function valueOf({ key, type }: ConfigKey): fc.Arbitrary<unknown> {
  const formed = FORMED[key];
  if (formed) return formed;
  if (type === "true or false") return fc.boolean();
  const [, whole, low, high] = /^a (whole )?number from (\S+) to (\S+)$/.exec(type) ?? [];
  const bounds = { min: Number(low), max: Number(high) };
  if (low !== undefined)
    return whole ? fc.integer(bounds) : fc.double({ ...bounds, noNaN: true }).map((n) => (Object.is(n, -0) ? 0 : n));
  if (type === "a path") return fc.oneof(path, fc.constant(""));
  if (type === "a list of paths") return fc.array(path, { maxLength: 3 });
  const choices = /^(?:one of|a list of) (.+, .+)$/.exec(type)?.[1]?.split(", ") ?? [];
  const one = choices.length > 0 ? fc.constantFrom(...choices) : word;
  return type.startsWith("a list") ? fc.array(one, { maxLength: 3 }) : one;
}

/** A few keys with valid values, nested as in a file; some combinations are impossible, and refused. */
const partial = fc
  .subarray([...configKeys()], { maxLength: 6 })
  .chain((keys) => fc.tuple(...keys.map((key) => fc.tuple(fc.constant(key.key), valueOf(key)))))
  .map((pairs) => {
    const mcp: Record<string, unknown> = {};
    for (const [key, value] of pairs) place(mcp, key.split(".").slice(1), value);
    return mcp satisfies McpInput;
  });

function place(into: Record<string, unknown>, [name = "", ...rest]: string[], value: unknown): void {
  if (rest.length === 0) into[name] = value;
  else place((into[name] ??= {}) as Record<string, unknown>, rest, value);
}

/** What a way of loading comes to: the settings, or the refusal without the place that only a file has. */
async function outcome(loading: () => Promise<Settings> | Settings): Promise<{ mcp?: McpConfig; refusal?: string }> {
  try {
    return { mcp: (await loading()).mcp };
  } catch (thrown) {
    if (!(thrown instanceof ConfigError)) throw thrown;
    return { refusal: thrown.message.replace(/^\S+:\d+: /, "") };
  }
}

test("any valid configuration written as TOML loads to itself", async () => {
  const { loadText } = await freshFolder();
  let served = 0;
  await fc.assert(
    fc.asyncProperty(partial, async (mcp) => {
      const expected = await outcome(() => settingsOf({ mcp }));
      if (expected.mcp) served += 1;
      expect(await outcome(() => loadText(stringify({ mcp })))).toEqual(expected);
    }),
    { numRuns: 300 },
  );
  expect(served).toBeGreaterThan(100);
});

test("what is printed of any settings loads to them, but for the secret", async () => {
  const { loadText } = await freshFolder();
  const settings = partial.map((mcp) => outcome(() => settingsOf({ mcp })));
  await fc.assert(
    fc.asyncProperty(settings, async (made) => {
      const { mcp } = await made;
      fc.pre(mcp !== undefined);
      const printed = await loadText(printToml({ ...settingsOf(), mcp }));
      expect(printed.mcp).toEqual({ ...mcp, auth: { ...mcp.auth, token: "" } });
    }),
    { numRuns: 200 },
  );
});

test("any bytes as a file load or are refused in one line", async () => {
  const { loadText } = await freshFolder();
  const line = fc.constantFrom(
    "[mcp]",
    "[mcp.tools]",
    "names = 1",
    "x = ",
    '"a".b = {c=1}',
    "é",
    "deny = [",
    "]",
    "mcp = []",
  );
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 60 }),
    fc.array(line, { maxLength: 8 }).map((lines) => Buffer.from(lines.join("\n"))),
  );
  const told = /^(?:loaded|[^\n]+llmc\.toml:\d+: [^\n]+)$/;
  await fc.assert(
    fc.asyncProperty(bytes, async (content) => {
      const end = await loadText(content).then(
        () => "loaded",
        (thrown: unknown) => (thrown instanceof ConfigError ? thrown.message : `unforeseen: ${String(thrown)}\n`),
      );
      expect(end).toMatch(told);
    }),
    { numRuns: 300 },
  );
});
