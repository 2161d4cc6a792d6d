import { expect, test } from "vitest";
import { helpText } from "../src/help.js";

test("the help is made from the program's own table", () => {
  const text = helpText({
    name: "prog",
    version: "1.2.3",
    summary: "does things.",
    flags: [
      { name: "root", value: "DIR", repeatable: true, help: "A folder." },
      { name: "help", help: "Show this." },
    ],
    commands: { "config print": "Print it." },
    examples: ["prog --root ~/src"],
  });
  expect(text.split("\n")).toEqual([
    "prog 1.2.3: does things.",
    "",
    "Usage: prog [flags] [DIR…]",
    "       prog config print [flags]",
    "",
    "  --root DIR    A folder.",
    "  --help        Show this.",
    "  config print  Print it.",
    "",
    "Configuration: one file, the first of --config FILE, $LLMC_CONFIG, $XDG_CONFIG_HOME/llmc/llmc.toml",
    "(~/.config/llmc/llmc.toml). Flags win over LLMC_* variables, those over the file, the file over defaults.",
    "",
    "Examples:",
    "  prog --root ~/src",
    "",
  ]);
});
