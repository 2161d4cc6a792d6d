import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createMask, type Bounds } from "../../src/text/mask.js";

const BOUNDS: Bounds = { depth: 4, members: 20, stringLength: 200, hideContents: true };
const mask = createMask(["correct horse/battery"]);
const masked = (value: unknown, bounds: Partial<Bounds> = {}) => mask.value(value, { ...BOUNDS, ...bounds });

describe("a value under the name of a secret is masked", () => {
  test.each([
    "password",
    "PASSWORD",
    "db_password",
    "userPassword",
    "passphrase",
    "secret",
    "client-secret",
    "token",
    "accessToken",
    "GITHUB_TOKEN",
    "Authorization",
    "api_key",
    "apiKey",
    "X-Api-Key",
    "AWS_SECRET_ACCESS_KEY",
    "private_key",
    "credentials",
    "Cookie",
  ])("%s", (key) => {
    expect(masked({ [key]: "hunter2", list: [{ [key]: ["a", "b"] }] })).toEqual({
      [key]: "***",
      list: [{ [key]: "***" }],
    });
  });

  test("but not what only sounds like one, nor a number of tokens, nor a switch", () => {
    const harmless = {
      tokens_in: 5,
      token_budget: 600,
      budget_tokens: 9,
      secretary: "Ann",
      keys: ["a"],
      monkey: "x",
      password: true,
    };

    expect(masked(harmless)).toEqual(harmless);
  });

  test("a password that is a number as well", () => {
    expect(masked({ password: 1234 })).toEqual({ password: "***" });
  });
});

describe("what looks like a secret is masked inside any text", () => {
  test.each([
    ["curl -H 'Authorization: Bearer abc.def-ghi' x", "abc.def-ghi"],
    ["Authorization: Basic dXNlcjpwdw==", "dXNlcjpwdw"],
    ["git clone https://me:s3cr3t@example.org/x", "s3cr3t"],
    ["git clone https://ghx0000token@example.org/x", "ghx0000token"],
    ["postgres://app:pa55@db:5432/x", "pa55"],
    ["mysql --password=pa55word -e x", "pa55word"],
    ["tool --api-key pa55word x", "pa55word"],
    ["tool --github-token 'pa55word' x", "pa55word"],
    ["DB_PASSWORD=pa55word ./run", "pa55word"],
    ["export MY_SECRET_VALUE=pa55word; x", "pa55word"],
    ['{"api_key": "pa55word"}', "pa55word"],
    ["https://h/?access_token=pa55word&x=1", "pa55word"],
    ["password: pa55word", "pa55word"],
    ["curl -u me:pa55word https://h/", "pa55word"],
    ["curl --user me:pa55word https://h/", "pa55word"],
    [`x ghp_${"a1".repeat(18)} y`, "a1a1a1"],
    [`x github_pat_${"a1".repeat(20)} y`, "a1a1a1"],
    [`x glpat-${"a1".repeat(10)} y`, "a1a1a1"],
    [`x sk-proj-${"a1".repeat(20)} y`, "a1a1a1"],
    [`x sk_live_${"a1".repeat(12)} y`, "a1a1a1"],
    ["x AKIAIOSFODNN7EXAMPLE y", "IOSFODNN"],
    [`x AIza${"Sy".repeat(18)} y`, "SySy"],
    ["x xoxb-123456789012-abcdef y", "123456789012"],
    [`x npm_${"a1".repeat(18)} y`, "a1a1a1"],
    [`x eyJhbGciOiJIUzI1NiJ9.${"a1".repeat(10)}.${"b2".repeat(10)} y`, "a1a1a1"],
    ["x -----BEGIN RSA PRIVATE KEY-----\nMIIEpAIB\n-----END RSA PRIVATE KEY----- y", "MIIEpAIB"],
    ["x -----BEGIN PRIVATE KEY-----\nMIIEpAIB", "MIIEpAIB"],
    ["x correct horse/battery y", "horse"],
    ["https://h/?q=correct%20horse%2Fbattery", "horse"],
  ])("%s", (text, secret) => {
    expect(mask.text(text)).toContain("***");
    expect(mask.text(text)).not.toContain(secret);
    expect(JSON.stringify(masked({ command: text, list: [text] }))).not.toContain(secret);
    expect(JSON.stringify(masked({ [text]: 1 }, { stringLength: 60 }))).not.toContain(secret);
  });

  test.each([
    "git log --author=me -n 5",
    "https://example.org/a:b@c",
    "ls -la /srv/secrets-of-the-sea",
    "rg -u pattern",
    "the token was wrong",
    "sort -u a:b",
    "/srv/task-sk-list.txt",
    "tokens_out=12",
  ])("and leaves %s readable", (text) => {
    expect(mask.text(text)).toBe(text);
  });

  test("the word after a flag of a list of arguments", () => {
    const argv = ["mysql", "--password", "pa55word", "-e", "select 1", "--api-key", "k"];

    expect(masked({ command: argv })).toEqual({
      command: ["mysql", "--password", "***", "-e", "select 1", "--api-key", "***"],
    });
  });

  test("a secret that the cut would have parted", () => {
    const text = `${"x".repeat(190)}correct horse/battery`;

    expect(masked(text)).toBe(`${"x".repeat(190)}***`);
    expect(masked(`${"x".repeat(198)}correct horse/battery`)).not.toContain("c");
  });
});

test("the contents of files are named by their length, unless they are wanted", () => {
  const args = { path: "/srv/a", content: "line 1\n", patch: "@@", edits: [{ old: "a", fresh: "bb" }] };

  expect(masked(args)).toEqual({
    path: "/srv/a",
    content: "(7 characters)",
    patch: "(2 characters)",
    edits: [{ old: "(1 characters)", fresh: "bb" }],
  });
  expect(createMask([], ["fresh"]).value({ fresh: "bb" }, BOUNDS)).toEqual({ fresh: "(2 characters)" });
  expect(masked(args, { hideContents: false })).toEqual(args);
});

test("of an environment and of headers only the names are kept", () => {
  expect(masked({ env: { LANG: "C", SHELL: "/bin/sh" }, headers: { Accept: "x" } })).toEqual({
    env: { LANG: "***", SHELL: "***" },
    headers: { Accept: "***" },
  });
});

test("the name of a variable that holds a secret is no secret", () => {
  expect(createMask([]).value({ token_env: "LLMC_MCP_TOKEN", token: "abc" }, BOUNDS)).toEqual({
    token_env: "LLMC_MCP_TOKEN",
    token: "***",
  });
});

test("the copy is bounded in depth, members and length", () => {
  const deep = { a: { b: { c: { d: { e: 1 }, l: [1, 2] } } } };
  expect(masked(deep)).toEqual({ a: { b: { c: { d: "{…}", l: "[2]" } } } });
  expect(masked([1, 2, 3], { members: 2 })).toEqual([1, 2, "…(+1)"]);
  expect(masked({ a: 1, b: 2, c: 3 }, { members: 2 })).toEqual({ a: 1, b: 2, "…": "more" });
  expect(masked("abcdef", { stringLength: 4 })).toBe("abcd…(+2)");
  expect(masked("x".repeat(1_000_000), { stringLength: 4 })).toBe("xxxx…(+999996)");
});

test("what is no JSON is no reason to fail", () => {
  const cyclic: Record<string, unknown> = { n: 1n, f: Number.NaN, s: Symbol("x"), u: undefined, fn: () => 1 };
  cyclic["self"] = cyclic;
  expect(JSON.parse(JSON.stringify(masked(cyclic, { depth: 1 })))).toEqual({
    n: "1",
    f: "NaN",
    s: "Symbol(x)",
    fn: "(function)",
    self: "{…}",
  });
  const trap = {
    get path(): string {
      throw new Error("no");
    },
  };
  expect(masked(trap)).toBe("(unreadable)");
  expect(masked(JSON.parse('{"__proto__": {"polluted": true}}'))).not.toHaveProperty("polluted");
});

test("a secret is gone wherever it stands, and masking takes no time on hostile text", () => {
  const text = fc.string({
    unit: fc.constantFrom("a", " ", "=", ":", "-", "/", "@", '"', "'", "token", "--", "key", "ey", "J", "."),
  });
  fc.assert(
    fc.property(text, text, fc.constantFrom("deadbeef-0123", "p@ss word!", "+/=+/=+/="), (before, after, secret) => {
      const own = createMask([secret]);
      expect(own.text(before + secret + after)).not.toContain(secret);
      expect(JSON.stringify(own.value({ a: [before + secret + after] }, BOUNDS))).not.toContain(
        JSON.stringify(secret).slice(1, -1),
      );
    }),
  );
});

test.each([
  "a",
  "a-",
  "token",
  "token=",
  "password ",
  "eyJa.",
  "a://",
  "-----BEGIN PRIVATE KEY-----",
  "--a-",
  "sk-",
  "sk_ab_",
  " -u",
  "bearer ",
])("a megabyte of %j is masked at the cost of its first part", (unit) => {
  const text = unit.repeat(Math.ceil(1_000_000 / unit.length));
  // With a quadratic pattern, or without the cut before it, this does not end.
  expect(JSON.stringify(masked({ command: text })).length).toBeLessThan(300);
  expect(mask.text(text.slice(0, 8_000)).length).toBeLessThan(20_000);
});
