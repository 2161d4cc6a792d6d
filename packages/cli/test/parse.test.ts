import fc from "fast-check";
import { expect, test } from "vitest";
import {
  CLOSING_FLAGS,
  COMMON_COMMANDS,
  COMMON_FLAGS,
  leadingFlags,
  parseCommandLine,
  UsageError,
  type Program,
} from "../src/index.js";

const program: Program = {
  name: "prog",
  version: "1.2.3",
  summary: "does things.",
  flags: [...COMMON_FLAGS, { name: "port", value: "PORT", help: "The port." }, ...CLOSING_FLAGS],
  commands: COMMON_COMMANDS,
  examples: ["prog --root ~/src"],
};

const parse = (...argv: string[]) => parseCommandLine(program, argv);
const refusal = (...argv: string[]) => {
  try {
    parse(...argv);
  } catch (thrown) {
    return thrown instanceof UsageError ? thrown.message : thrown;
  }
  return "accepted";
};

test("flags give their values, repeatable ones all of them in order, others the last", () => {
  const line = parse("--root", "a", "--root=b", "--port", "1", "--port=2", "--read-only");
  expect({
    command: line.command,
    roots: line.all("root"),
    port: line.one("port"),
    readOnly: line.has("read-only"),
    config: line.one("config"),
    set: line.all("set"),
  }).toEqual({ command: "", roots: ["a", "b"], port: "2", readOnly: true, config: undefined, set: undefined });
});

test("a value may look like a flag where it is joined by =, and hold = itself", () => {
  expect(parse("--root=--odd").all("root")).toEqual(["--odd"]);
  expect(parse("--set", "mcp.tools.names=dotted").all("set")).toEqual(["mcp.tools.names=dotted"]);
});

test("a sub-command is its words, wherever the flags stand", () => {
  expect(parse("config", "--root", "x", "print").command).toBe("config print");
  expect(parse("config").command).toBe("config");
  expect(parse("help").command).toBe("help");
});

test.each([[["/srv/shop"]], [["shop", "../b"]], [["~/config"]], [["./config", "--read-only"]]])(
  "words that are no command are folders: %j",
  (argv) => {
    const { command, folders } = parse(...argv);
    expect({ command, folders }).toEqual({ command: "", folders: argv.filter((word) => word !== "--read-only") });
  },
);

test.each([
  [["--port", "1", "grep", "--root"], 2],
  [["--port=1", "--read-only", "grep"], 2],
  [["--prot", "grep"], 1],
  [["--read-only", "--", "--port"], 1],
  [["--port"], 1],
  [["-", "x"], 0],
])("%j begins with %i words of its own flags", (argv, count) => {
  expect(leadingFlags(program, argv)).toBe(count);
});

test("-h and -V are --help and --version", () => {
  expect(parse("-h").has("help")).toBe(true);
  expect(parse("-V").has("version")).toBe(true);
});

test.each([
  [["--prot", "1"], 'unknown flag "--prot"; did you mean --port?'],
  [["--raed-only"], 'unknown flag "--raed-only"; did you mean --read-only?'],
  [["--roots=x"], 'unknown flag "--roots"; did you mean --root?'],
  [["--no-idea-at-all"], 'unknown flag "--no-idea-at-all"; --help lists what there is'],
  [["-x"], 'unknown flag "-x"; --help lists what there is'],
  [["--root"], "--root needs a value: DIR"],
  [["--root="], "--root needs a value: DIR"],
  [["--root", "--read-only"], "--root needs a value: DIR"],
  [["--read-only=false"], "--read-only takes no value"],
  [["confg", "print"], 'unknown command "confg print"; did you mean config print?'],
  [["confg"], 'unknown command "confg"; did you mean config?'],
  [["halp"], 'unknown command "halp"; did you mean help?'],
  [["/srv", "config"], 'unknown command "/srv config"; --help lists what there is'],
  [["--", "--root"], 'unknown command "--root"; --help lists what there is'],
])("%j is refused with what to type instead", (argv, message) => {
  expect(refusal(...argv)).toBe(message);
});

test("whatever is typed is either understood or refused by a usage error", () => {
  const word = fc.oneof(
    fc.string(),
    fc.constantFrom("--root", "--set", "--help", "config", "print", "--", "-h", "--port="),
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 6 }), (argv) => {
      expect(typeof refusal(...argv)).toBe("string");
    }),
  );
});
