import { describe, expect, test } from "vitest";
import { stringify } from "smol-toml";
import { configKeys, type Settings } from "../src/index.js";
import { freshFolder } from "./fresh.js";

// One value for each key that differs from its default and can be served with all other defaults.
const SPECIAL: Readonly<Record<string, unknown>> = {
  "mcp.config_version": "v0",
  "mcp.server.tls_enabled": false,
  "mcp.server.allowed_hosts": ["box.lan", "[::2]"],
  "mcp.auth.mode": "token",
  "mcp.auth.token": "x-123456789-abcdef",
  "mcp.auth.header": "X-Other",
  "mcp.auth.token_env": "OTHER",
  "mcp.observability.metrics_path": "/m",
  "mcp.rag.engine": "off",
  "mcp.rag.embeddings.provider": "none",
  "mcp.rag.embeddings.base_url": "http://h/",
  "mcp.rag.llmc_http.base_url": "https://h/x",
  "mcp.rag.llmc_http.token_env": "OTHER",
  "mcp.handles.max_payload_bytes": 4096,
  "mcp.linux_ops.process_limits.max_procs_per_session": 5,
  "mcp.linux_ops.process_limits.max_timeout_sec": 900,
  "mcp.linux_ops.roots.deny": [".ssh", ".other"],
  "mcp.linux_ops.commands.env_pass": ["A", "B_C"],
};

function another({ key, type, default: initial }: { key: string; type: string; default: unknown }): unknown {
  if (key in SPECIAL) return SPECIAL[key];
  if (typeof initial === "boolean") return !initial;
  if (typeof initial === "number") return initial + (type.startsWith("a whole") ? 1 : 0.5);
  const choices = /^(?:one of|a list of) (.+, .+)$/.exec(type)?.[1]?.split(", ");
  if (type.startsWith("one of")) return choices?.find((choice) => choice !== initial);
  if (type.startsWith("a list")) return choices ? choices.slice(-2) : ["/some/where", "/else"];
  return type === "a path" ? "/some/where" : "something";
}

// budgets.test.ts has the key that holds tables.
const cases = configKeys()
  .filter(({ type }) => !type.startsWith("NAME ="))
  .map((key) => [key.key, another(key)] as const);

describe("each key means the same in the file, in the environment and on the command line", () => {
  test.for(cases)("%s", async ([key, value]) => {
    const { load, loadText } = await freshFolder();
    const written = stringify({ value }).slice("value = ".length).trim();
    const variable = `LLMC_${key.toUpperCase().replaceAll(".", "__")}`;
    const plain = Array.isArray(value) ? value.join(",") : String(value);
    const shown = ({ mcp }: Settings) => mcp;

    const fromFile = shown(await loadText(`${key} = ${written}`));
    expect(read(fromFile, key)).toEqual(value);
    expect(shown(await load({ env: { [variable]: written } }))).toEqual(fromFile);
    expect(shown(await load({ env: { [variable]: plain } }))).toEqual(fromFile);
    expect(shown(await load({ set: [`${key}=${written}`] }))).toEqual(fromFile);
    expect(shown(await load({ set: [`${key}=${plain}`] }))).toEqual(fromFile);
  });
});

function read(mcp: unknown, key: string): unknown {
  return key
    .split(".")
    .slice(1)
    .reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], mcp);
}

describe("a value outside a file", () => {
  test.for([
    ["mcp.session.default_model=4", "default_model", "4"],
    ["mcp.session.default_model=true", "default_model", "true"],
    ["mcp.session.default_model=1979-05-27", "default_model", "1979-05-27"],
    ["mcp.session.default_model='a b'", "default_model", "a b"],
    ["mcp.session.default_model=a=b # c", "default_model", "a=b # c"],
    ["mcp.session.default_model=", "default_model", ""],
    [" mcp.session.default_model = x ", "default_model", "x"],
  ] as const)("that is text stays text: %s", async ([set, name, expected]) => {
    const { load } = await freshFolder();
    expect((await load({ set: [set] })).mcp.session[name]).toBe(expected);
  });

  test.for([
    ["a", ["a"]],
    ["a, b ,c", ["a", "b", "c"]],
    ['["a,b"]', ["a,b"]],
    ['"a,b"', ["a,b"]],
    ["8080", ["8080"]],
    ["[]", []],
    ["", []],
  ] as const)("that is a list: %s", async ([written, expected]) => {
    const { load } = await freshFolder();
    expect((await load({ set: [`mcp.tools.deny=${written}`] })).mcp.tools.deny).toEqual(expected);
  });
});
