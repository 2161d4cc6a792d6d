import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { freshPlace, runToEnd, type Place } from "./processes.js";

interface Case {
  readonly what: string;
  readonly args: (place: Place) => readonly string[] | Promise<readonly string[]>;
  readonly says: RegExp;
}

const file = async ({ home }: Place, name: string, content: string) => {
  const path = join(home, name);
  await writeFile(path, content);
  return path;
};

test.each<Case>([
  {
    what: "an unknown flag",
    args: () => ["--raed-only"],
    says: /unknown flag "--raed-only"; did you mean --read-only\?/,
  },
  { what: "a flag of the HTTP server", args: () => ["--port", "1"], says: /unknown flag "--port"/ },
  {
    what: "a config file that is missing",
    args: () => ["--config", "/no/llmc.toml"],
    says: /\/no\/llmc\.toml.*does not exist/,
  },
  {
    what: "broken TOML",
    args: async (place) => ["--config", await file(place, "bad.toml", "[mcp\n")],
    says: /bad\.toml:1/,
  },
  {
    what: "no root that exists",
    args: ({ home }) => ["--root", join(home, "gone")],
    says: /^llmc-mcp-stdio: --root \/\S+\/gone: no such folder$/,
  },
  {
    what: "a file as the only root",
    args: async (place) => [await file(place, "plain", "x")],
    says: /^llmc-mcp-stdio: --root \/\S+\/plain: not a folder$/,
  },
  {
    what: "a data dir that cannot be written",
    args: async (place) => ["--data-dir", join(await file(place, "file", ""), "state")],
    says: /the data dir .* cannot be written \(ENOTDIR\)/,
  },
  {
    what: "a data dir below /proc",
    args: () => ["--data-dir", "/proc/llmc/state"],
    says: /the data dir \/proc\/llmc\/state cannot be written/,
  },
  {
    what: "a value with a line break in it",
    args: () => ["--set", "mcp.tools.names=a\nllmc-mcp-stdio: all is well"],
    says: /mcp\.tools\.names/,
  },
])("$what is refused in one line with exit code 2", async ({ args, says }) => {
  const place = await freshPlace();
  const { code, stdout, stderr } = await runToEnd({ home: place.home, args: await args(place) });
  // Log lines are for machines; what is left is for whoever started the server.
  const lines = stderr.split("\n").filter((line) => line !== "" && !line.startsWith("{"));
  expect({ code, stdout, lines }).toEqual({ code: 2, stdout: "", lines: [expect.stringMatching(says)] });
});

test("mcp.enabled = false ends the start with one line and exit code 0", async () => {
  const { home } = await freshPlace();
  expect(await runToEnd({ home, env: { LLMC_MCP__ENABLED: "false" } })).toEqual({
    code: 0,
    stdout: "",
    stderr: "llmc-mcp-stdio: mcp.enabled is false, so nothing is served\n",
  });
});

test("all faults are refused at once, each on a line of its own", async () => {
  const { home } = await freshPlace();
  const { code, stderr } = await runToEnd({
    home,
    args: ["--set", "mcp.tools.nmaes=x", "--set", "mcp.server.port=x"],
    env: { LLMC_MCP__ENABLED: "maybe" },
  });
  expect(code).toBe(2);
  expect(stderr.trimEnd().split("\n")).toEqual([
    expect.stringMatching(/^llmc-mcp-stdio: --set: mcp\.tools\.nmaes: /),
    expect.stringMatching(/^llmc-mcp-stdio: LLMC_MCP__ENABLED: mcp\.enabled: /),
    expect.stringMatching(/^llmc-mcp-stdio: --set: mcp\.server\.port: /),
  ]);
});

test("roots of which none can be opened are told by where they were written", async () => {
  const { home } = await freshPlace();
  const { stderr } = await runToEnd({ home, env: { LLMC_ROOTS: "/no/one:/no/two" } });
  expect(stderr).toBe(
    "llmc-mcp-stdio: LLMC_ROOTS: /no/one: no such folder\nllmc-mcp-stdio: LLMC_ROOTS: /no/two: no such folder\n",
  );
});

test("a folder without a flag is a root", async () => {
  const { home, root } = await freshPlace();
  const { code, stderr } = await runToEnd({ home, args: [root] });
  expect({ code, roots: / · roots (\S+)/.exec(stderr)?.[1] }).toEqual({ code: 0, roots: root });
});

test("--help, --version and config print answer on stdout", async () => {
  const { home } = await freshPlace();
  const help = await runToEnd({ home, args: ["--help"] });
  expect(help).toMatchObject({ code: 0, stderr: "", stdout: expect.stringContaining("Usage: llmc-mcp-stdio") });
  expect(await runToEnd({ home, args: ["help"] })).toEqual(help);
  const version = await runToEnd({ home, args: ["--version"] });
  expect(version).toEqual({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\S*\n$/), stderr: "" });
  const printed = await runToEnd({ home, args: ["config", "print", "--read-only"] });
  expect(printed).toMatchObject({ code: 0, stdout: expect.stringContaining("# from --read-only\nread_only = true") });
  expect(await runToEnd({ home, args: ["config", "--read-only"] })).toEqual(printed);
});
