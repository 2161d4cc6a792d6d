import { existsSync, lstatSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { installed, settingsWith, uninstalled } from "../src/hook/claude-code.js";
import { freshHome, texts } from "./processes.js";

const OWN = '{ "matcher": "Write", "hooks": [{ "type": "command", "command": "fmt \\"x\\"" }] }';

const FILES = [
  "{}\n",
  '{\n  "model": "opus",\n  "env": { "A": "}" }\n}\n',
  '{\n\t"model" : "opus"\n}',
  '{\r\n    "model": "opus"\r\n}\r\n',
  '{"model":"opus","permissions":{"allow":["Bash(ls:*)"]}}',
  `{\n  "hooks": {\n    "PreToolUse": [${OWN}]\n  },\n  "model": "opus"\n}\n`,
  `{\n  "hooks": {\n    "PostToolUse": [\n      ${OWN}\n    ]\n  }\n}\n`,
];

test.each(FILES)("installing into %j and taking it back leaves the file as it was", async (content) => {
  const { llmc, file, home } = freshHome();
  const settings = file("settings.json", content, 0o640);
  const there = ["claude-code", "--settings", settings];
  expect(texts(await llmc("hook", "install", ...there))).toMatchObject({ code: 0, stderr: "" });
  const after = readFileSync(settings, "utf8");
  expect(JSON.parse(after)).toEqual(JSON.parse(installed(content, "linuxops")));
  expect(after).toContain('"te_shorten"');
  expect(texts(await llmc("hook", "install", ...there)).stdout).toContain("already");
  expect(readFileSync(settings, "utf8")).toBe(after);
  expect(texts(await llmc("hook", "uninstall", ...there)).code).toBe(0);
  expect(readFileSync(settings, "utf8")).toBe(content);
  expect(statSync(settings).mode & 0o777).toBe(0o640);
  expect(existsSync(join(home, ".claude"))).toBe(false);
});

test("the hook is the one that is shown, in the settings of the user", async () => {
  const { llmc, home } = freshHome();
  const settings = join(home, ".claude/settings.json");
  const [where = "", ...shown] = texts(await llmc("hook", "show", "claude-code", "--server", "box")).stdout.split("\n");
  expect(where).toBe(`In ${settings}:`);
  expect(existsSync(settings)).toBe(false);
  await llmc("hook", "install", "claude-code", "--server", "box");
  expect(readFileSync(settings, "utf8")).toBe(shown.join("\n"));
  expect(JSON.parse(shown.join("\n"))).toEqual({
    hooks: {
      PostToolUse: [
        {
          matcher: "Bash",
          hooks: [
            {
              type: "mcp_tool",
              server: "box",
              tool: "te_shorten",
              input: {
                command: "${tool_input.command}",
                stdout: "${tool_response.stdout}",
                stderr: "${tool_response.stderr}",
              },
              timeout: 10,
            },
          ],
        },
      ],
    },
  });
});

test("a hook that is there stays where it is", () => {
  const { hooks } = settingsWith("linuxops") as { hooks: { PostToolUse: object[] } };
  hooks.PostToolUse.push({ matcher: "Write", hooks: [] });
  const text = JSON.stringify({ hooks });
  expect(installed(text, "linuxops")).toBe(text);
});

test("another server takes the place of the first one", () => {
  const both = installed(installed("{}", "one"), "two");
  expect(JSON.parse(both)).toEqual(settingsWith("two"));
});

test("uninstall takes the hook out of a group with other hooks, and leaves those", () => {
  const other = { type: "command", command: "x" };
  const { hooks } = settingsWith("linuxops") as { hooks: { PostToolUse: { hooks: object[] }[] } };
  hooks.PostToolUse[0]?.hooks.unshift(other);
  expect(JSON.parse(uninstalled(JSON.stringify({ hooks })))).toEqual({
    hooks: { PostToolUse: [{ matcher: "Bash", hooks: [other] }] },
  });
});

test("where there is nothing to take back that is said, with exit code 0", async () => {
  const { llmc, file, home } = freshHome();
  const settings = file("settings.json", "{}");
  for (const name of [settings, join(home, "missing.json")])
    expect(texts(await llmc("hook", "uninstall", "claude-code", "--settings", name))).toEqual({
      code: 0,
      stdout: `There is no hook of ours in ${name}.\n`,
      stderr: "",
    });
  expect(existsSync(join(home, "missing.json"))).toBe(false);
});

test.each([
  ['{ "model": "opus", }', /not valid JSON/],
  ["", /not valid JSON/],
  ["[]", /the file is not an object/],
  ['{ "hooks": [] }', /hooks is not an object/],
  ['{ "hooks": { "PostToolUse": {} } }', /hooks\.PostToolUse is not an array/],
])("%j is refused and stays", async (content, says) => {
  const { llmc, file } = freshHome();
  const settings = file("settings.json", content);
  const { code, stderr } = texts(await llmc("hook", "install", "claude-code", "--settings", settings));
  expect([code, stderr.split("\n").length]).toEqual([2, 2]);
  expect(stderr).toMatch(says);
  expect(stderr).toContain(settings);
  expect(readFileSync(settings, "utf8")).toBe(content);
});

test("a link to the settings stays a link", async () => {
  const { llmc, file, home } = freshHome();
  const target = file("dotfiles.json", "{}\n");
  const link = join(home, "settings.json");
  symlinkSync(target, link);
  await llmc("hook", "install", "claude-code", "--settings", link);
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(readFileSync(target, "utf8")).toContain("te_shorten");
});

test("any settings come back byte for byte, whatever their indentation", () => {
  const settings = fc.dictionary(
    fc.string().filter((key) => key !== "hooks" && key !== "__proto__"),
    fc.jsonValue(),
    { minKeys: 1 },
  );
  fc.assert(
    fc.property(settings, fc.constantFrom(0, 1, 2, 4, "\t"), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      const withHook = installed(text, "linuxops");
      expect(JSON.parse(withHook)).toEqual({
        ...(JSON.parse(text) as object),
        ...(settingsWith("linuxops") as object),
      });
      expect(uninstalled(withHook)).toBe(text);
    }),
  );
});

test.each([
  [[], /^llmc .*\n[^]*hook +Shorten/, 0],
  [["help"], /^llmc .*\n[^]*hook +Shorten/, 0],
  [["hook"], /2\.1\.121 or newer/, 0],
  [["--version"], /^\d+\.\d+\.\d+/, 0],
])("llmc %j tells on stdout", async (argv, says, code) => {
  const { llmc } = freshHome();
  const ended = texts(await llmc(...argv));
  expect([ended.code, ended.stderr]).toEqual([code, ""]);
  expect(ended.stdout).toMatch(says);
});

test.each([
  [["hok"], 'llmc: unknown command "hok"; did you mean hook?\n'],
  [["./x"], 'llmc: unknown command "./x"; --help lists what there is\n'],
  [
    ["hook", "instal", "claude-code"],
    'llmc: unknown command "instal claude-code"; did you mean install claude-code?\n',
  ],
  [["hook", "install", "./x"], "llmc: show, install or uninstall claude-code; --help tells more\n"],
])("llmc %j is refused in one line", async (argv, stderr) => {
  const { llmc } = freshHome();
  expect(texts(await llmc(...argv))).toEqual({ code: 2, stdout: "", stderr });
});
