import * as fc from "fast-check";
import { parse, stringify } from "smol-toml";
import { describe, expect, test } from "vitest";
import { lineFinder } from "../src/load/locate.js";

describe("the line of a key", () => {
  const text = [
    "# [mcp] in a comment", // 1
    "top = '''", // 2
    "[mcp.fake]", // 3
    "x = 1''''", // 4
    "[ mcp . 'tools' ] # names = 2", // 5
    'deny = [ # "]', // 6
    '  "a]", [1, {q = 2}], # }', // 7
    "]", // 8
    'names = """', // 9
    'read_only = "\\"""', // 10
    '"""""', // 11
    "confirm = 'x' # y = 3", // 12
    "[mcp]", // 13
    'server = { port = 1, "ho\\u0073t" = "[", tls.x = {} }', // 14
    "rag.llmc_http.base_url = '''a'''", // 15
    "[[other]]", // 16
    "mcp = 1979-05-27 07:32:00", // 17
    "[mcp.te]", // 18
    '"quoted.key" = 1', // 19
  ].join("\n");

  test.for([
    [["top"], 2],
    [["mcp"], 5],
    [["mcp", "tools"], 5],
    [["mcp", "tools", "deny"], 6],
    [["mcp", "tools", "deny", "0"], 6],
    [["mcp", "tools", "names"], 9],
    [["mcp", "tools", "read_only"], 5],
    [["mcp", "tools", "confirm"], 12],
    [["mcp", "server", "port"], 14],
    [["mcp", "server", "host"], 14],
    [["mcp", "server", "tls", "x"], 14],
    [["mcp", "rag", "llmc_http", "base_url"], 15],
    [["mcp", "rag"], 15],
    [["other", "mcp"], 17],
    [["mcp", "te", "quoted.key"], 19],
    [["mcp", "fake"], 5],
    [["gone"], undefined],
  ] as const)("%j", ([path, line]) => {
    parse(text);
    expect(lineFinder(text)(path)).toBe(line);
  });

  test("counts lines that end in CRLF", () => {
    expect(lineFinder("a = 1\r\n\r\n[b]\r\nc = [\r\n1]\r\nd = 2\r\n")(["b", "d"])).toBe(6);
  });

  test("ends on text that is no TOML", () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom("[", "]", "{", "}", "=", '"', "'", "#", ".", ",", "\\", " ", "\n", "a", "1"),
        }),
        (junk) => {
          expect(lineFinder(junk)(["a"])).toSatisfy((line) => line === undefined || typeof line === "number");
        },
      ),
      { numRuns: 500 },
    );
  });

  test("takes a time that grows with the text, not with its square", () => {
    const long = `a = """${'""\\n'.repeat(100_000)}"""\nb = '${"x".repeat(200_000)}'\n${"c".repeat(100_000)} = 1\nd = 1`;
    expect(lineFinder(long)(["d"])).toBe(4);
  });
});

// A document is made line by line, so that the right answer is known without a second parser.
interface Entry {
  readonly name: string;
  readonly value: string;
}

const key = fc.oneof(fc.stringMatching(/^[A-Za-z0-9_-]{1,8}$/), fc.string({ unit: "grapheme", maxLength: 6 }));
const spelled = (name: string) =>
  /^[A-Za-z0-9_-]+$/.test(name) ? name : JSON.stringify(name).replaceAll("\u007f", "\\u007f");
const plain = fc
  .oneof(
    fc.string({ unit: "grapheme" }),
    fc.integer(),
    fc.boolean(),
    fc.array(fc.integer()),
    fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }),
  )
  .map((value) => stringify({ value }).slice("value = ".length).trimEnd());
const tricky = fc.constantFrom(
  '"""\n[mcp]\nx = "1"\n"""',
  "'''\na = ''\n'''",
  "[\n  1, # ]\n  2\n]",
  '{ a = 1, b.c = "}" }',
  '"# no comment"',
  '""',
  "''''''",
  '[[1], ["]"], [{ x = "]" }]]',
);
const entry: fc.Arbitrary<Entry> = fc.record({ name: key, value: fc.oneof(plain, tricky) });
const filler = fc.constantFrom("", "\n", "# x = 1\n", "  \n# [a]\n");
const section = fc.record({
  name: key,
  entries: fc.uniqueArray(fc.tuple(filler, entry), { selector: ([, { name }]) => name, maxLength: 5 }),
});
const document = fc.uniqueArray(section, { selector: ({ name }) => name, maxLength: 5 });

test("is the line on which it was written, in any document", () => {
  fc.assert(
    fc.property(document, (sections) => {
      let text = "";
      const expected: [path: string[], line: number][] = [];
      const here = () => text.split("\n").length;
      for (const { name, entries } of sections) {
        expected.push([[name], here()]);
        text += `[${spelled(name)}]\n`;
        for (const [gap, { name: inner, value }] of entries) {
          text += gap;
          expected.push([[name, inner], here()]);
          text += `${spelled(inner)} = ${value} # end\n`;
        }
      }
      expect(() => parse(text)).not.toThrow();
      const line = lineFinder(text);
      expect(expected.map(([path]) => line(path))).toEqual(expected.map(([, at]) => at));
    }),
    { numRuns: 300 },
  );
});
