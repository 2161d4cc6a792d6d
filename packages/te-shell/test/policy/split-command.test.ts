import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { splitCommand } from "../../src/policy/split-command.js";

const hasBash = spawnSync("bash", ["-c", ":"]).status === 0;

test.each([
  ["ls -la", ["ls", "-la"]],
  ["  git   commit -m 'a b'  \n", ["git", "commit", "-m", "a b"]],
  ['echo "a \\"b\\" c\\d" e\\ f', ["echo", 'a "b" c\\d', "e f"]],
  ["grep -n 'foo$' x", ["grep", "-n", "foo$", "x"]],
  ["grep foo$ x", ["grep", "foo$", "x"]],
  ['grep "foo$" x', ["grep", "foo$", "x"]],
  ["find . ! -name x -exec {} +", ["find", ".", "!", "-name", "x", "-exec", "{}", "+"]],
  ["cp file~ a=b 'x'", ["cp", "file~", "a=b", "x"]],
  ["echo '' \"\"", ["echo", "", ""]],
  ["echo a#b x=[ ]", ["echo", "a#b", "x=[", "]"].slice(0, 3).concat("]")],
  ["'if' x", ["if", "x"]],
  ["a\\\nb", ["ab"]],
  ["", []],
])("%j is plain words", (line, argv) => {
  if (line.includes("x=[ ]")) return expect(splitCommand(line)).toEqual({ argv: ["echo", "a#b", "x=[", "]"] });
  return expect(splitCommand(line)).toEqual({ argv });
});

test.each([
  ["a | b", "|"],
  ["a && b", "&"],
  ["a; b", ";"],
  ["a > f", ">"],
  ["a < f", "<"],
  ["(a)", "("],
  ["echo $HOME", "$"],
  ['echo "$(id)"', "$"],
  ["echo $'a'", "$"],
  ["echo `id`", "`"],
  ['echo "`id`"', "`"],
  ["ls *.ts", "*"],
  ["ls a?", "?"],
  ["ls [ab]", "["],
  ["ls {a,b}", "{"],
  ["ls {1..3}", "{"],
  ["ls ~", "~"],
  ["ls --dir=~/x", "~"],
  ["A=1 ls", "an assignment"],
  ["a[1]=2 ls", "an assignment"],
  ["! ls", "!"],
  ["if true", "if"],
  ["[[ a ]]", "[["],
  ["# nothing", "#"],
  ["ls # rest", "#"],
  ["a\nb", "a newline"],
])("%j needs a shell", (line, shell) => {
  expect(splitCommand(line)).toEqual({ shell });
});

test.each(["echo 'a", 'echo "a', "echo \\"])("%j is not finished", (line) => {
  expect(splitCommand(line)).toHaveProperty("unfinished");
});

// What is taken for plain words is what bash makes of them, in a folder whose names would be globbed.
test.skipIf(!hasBash)("plain words are those that bash sees", () => {
  const piece = fc.constantFrom(
    ..."a b = \\ ' \" $ ~ # ! { } [ ] , .. - / é \n \t : @ % ^ + * ? 1 _ if".split(" "),
    " ",
    "  ",
    "$ ",
    "\\\n",
    "a=",
    "\\$",
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join("")),
      (words) => {
        const split = splitCommand(`printf %s\\\\0 ${words}`);
        if (!("argv" in split)) return;
        const { stdout, status } = spawnSync("bash", ["--norc", "-c", `printf '%s\\0' x ${words}`], {
          cwd: "/usr",
          env: { HOME: "/nowhere", LC_ALL: "C.UTF-8" },
          encoding: "utf8",
        });
        expect({ words: stdout.split("\0").slice(0, -1), status }).toEqual({
          words: ["x", ...split.argv.slice(2)],
          status: 0,
        });
      },
    ),
    { numRuns: 150 },
  );
});
