import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { ContentQuery, Hit, Search } from "../../src/index.js";
import { fill, freshFolder, openDesk, QUERY } from "./desk.js";
import { ENGINES } from "./engines.js";

const utf16 = (text: string): Buffer => Buffer.concat([Buffer.of(0xff, 0xfe), Buffer.from(text, "utf16le")]);
const utf16be = (text: string): Buffer => Buffer.concat([Buffer.of(0xfe, 0xff), Buffer.from(text, "utf16le").swap16()]);

const FILES: Readonly<Record<string, string | Uint8Array>> = {
  "src/app.ts": "export function start(port: number) {\n  return listen(port, 8080);\n}\n\nconst Größe = 12;\n",
  "src/app.test.ts": 'test("start", () => start(1));\n',
  "src/deep/er/util.py": "def start(port):\n\treturn port + 1  # ٣ ٤\n",
  "docs/read.md":
    "# Start\n\nПривет, мир. Straße ΣΊΣΥΦΟΣ\nfoo.bar(x)\nfooXbar\na|b\n$HOME and C:\\temp\n-v --version\n",
  "folded.txt": "\u017Ftart with a long s, start\nthe \u212Aelvin sign and a k\nno dot: k\u0131\nwith a dot: KI\n",
  "win.txt": "first\r\nsecond line\r\n\r\nlast start\r\n",
  "no-end.txt": "one\ntwo start",
  "long.txt": `${"x".repeat(5000)}start${"y".repeat(5000)}\nshort start\n`,
  "megabytes.txt": `${"z".repeat(2_000_000)} start of it\nnext start\n`,
  "empty.txt": "",
  "blank.txt": "\n\n",
  "latin1.txt": Buffer.from("caf\xe9 start\nplain\n", "latin1"),
  "mark.txt": "\uFEFFstart at a mark\nstart again\n",
  "sixteen.txt": utf16("start wide\r\nGröße wide\r\n"),
  "sixteen-be.txt": utf16be("start wide\nplain\n"),
  "binary.bin": Buffer.from("start\0start\n"),
  "late-nul.txt": `start\n${"n".repeat(20_000)}\nx\0y start\n`,
  "very-late-nul.txt": `start\n${`${"n".repeat(99)}\n`.repeat(1600)}x\0y start\n`,
  "two\nlines.txt": "start in a strange place\n",
  "-dash": "start dash\n",
  "sp ace/it's.txt": "start quoted\n",
  ".hidden/x": "start hidden\n",
  ".env": "start hidden\n",
  ".gitignore": "*.log\nout/\n",
  "a.log": "start ignored\n",
  "out/x": "start ignored\n",
  "keep.js": "var start = /re/.test(s) ? 'a' : \"b\";\n[1,2].map((x) => x);\n",
};

type Asked = Partial<ContentQuery> & { readonly pattern: string };

/** The PCRE2 of an old ripgrep reads no other text than UTF-8, and the answer says so. */
const NO_LATIN_1 = { glob: ["!latin1.txt"] };

const Q: readonly Asked[] = [
  { pattern: "start" },
  { pattern: "START" },
  { pattern: "START", ignoreCase: true },
  { pattern: "start", literal: true },
  { pattern: "Start", literal: true, ignoreCase: true },
  { pattern: "k", ignoreCase: true },
  { pattern: "ki", ignoreCase: true },
  { pattern: "FOO.BAR(X)", literal: true, ignoreCase: true },
  { pattern: "c:\\TEMP", literal: true, ignoreCase: true },
  { pattern: "größe", ignoreCase: true },
  { pattern: "GRÖSSE", ignoreCase: true },
  { pattern: "привет", ignoreCase: true },
  { pattern: "σίσυφος", ignoreCase: true },
  { pattern: "\\d+" },
  { pattern: "\\D", glob: ["!megabytes.txt"] },
  { pattern: "[\\d]{4}" },
  { pattern: "\\w+\\(" },
  { pattern: "\\bstart\\b" },
  { pattern: "\\bür" },
  { pattern: "\\Bart" },
  { pattern: "\\s\\s+\\S" },
  { pattern: "^start" },
  { pattern: "start$" },
  { pattern: "line$" },
  { pattern: "^second.*$" },
  { pattern: "^$" },
  { pattern: ".", glob: ["!megabytes.txt"] },
  { pattern: "first." },
  { pattern: "start|listen" },
  { pattern: "(?:def|function) start" },
  { pattern: "(st)(art)" },
  { pattern: "st[a-c]rt" },
  { pattern: "[^a-z]start" },
  { pattern: "[[:upper:]]tart" },
  { pattern: "[[:alpha:]]{5}", ignoreCase: true, glob: ["!megabytes.txt"] },
  { pattern: "[^[:word:][:space:]]" },
  { pattern: "[[:punct:]-]v" },
  { pattern: "\\v" },
  { pattern: "s.{3}t" },
  { pattern: "x{100}start" },
  { pattern: "colou?r|ports?" },
  { pattern: "foo.bar" },
  { pattern: "foo.bar", literal: true },
  { pattern: "a|b", literal: true },
  { pattern: "$HOME", literal: true },
  { pattern: "C:\\temp", literal: true },
  { pattern: "-v" },
  { pattern: "--version", literal: true },
  { pattern: "\\p{Greek}+" },
  { pattern: "\\p{Lu}\\p{Ll}" },
  { pattern: "\\x{441}|\\u{440}|\\u0438" },
  { pattern: "(?i)START" },
  { pattern: "caf" },
  { pattern: "é" },
  { pattern: "start(?= dash)", ...NO_LATIN_1 },
  { pattern: "(?<!e )start", ...NO_LATIN_1 },
  { pattern: "(.)\\1start", ...NO_LATIN_1 },
  { pattern: "nothing at all like this" },
  { pattern: "start", includeHidden: true },
  { pattern: "start", respectIgnore: false },
  { pattern: "start", includeHidden: true, respectIgnore: false },
  { pattern: "start", glob: ["*.ts"] },
  { pattern: "start", glob: ["src/**", "!*.test.ts"] },
  { pattern: "start", glob: ["*.log"] },
  { pattern: "start", type: "py" },
  { pattern: "start", type: "ts", glob: ["!*.test.ts"] },
  { pattern: "start", mode: "files" },
  { pattern: "start", mode: "count" },
  { pattern: "\\d", mode: "count" },
  { pattern: "^$", mode: "files" },
];

/** Everything that a search says, a line for each file, in an order that does not depend on the engine. */
async function told(search: Search, root: string, query: Asked): Promise<unknown> {
  const found = await search.content({ ...QUERY, root, ...query }, { deadlineMs: 120_000 });
  const { total, exact, endedBy, kept, leftOut } = found;
  const files = found.files.map((file) =>
    JSON.stringify({ way: file.way, count: file.count, hits: file.hits.map(shown) }),
  );
  return { query, total, exact, endedBy, kept, files: files.toSorted(), leftOut };
}

/** Of a line of megabytes ripgrep tells too late where it matches. */
function shown(hit: Hit): Hit {
  return hit.cut.before + hit.cut.after < 100_000 ? hit : { ...hit, spans: [] };
}

test.skipIf(ENGINES.length < 2)("all engines find the same", { timeout: 300_000 }, async () => {
  const root = freshFolder();
  await fill(root, FILES);
  writeFileSync(Buffer.from(`${root}/in\xffvalid`, "latin1"), "start nowhere\n");
  mkdirSync(`${root}/loop`);
  symlinkSync("..", `${root}/loop/up`);
  symlinkSync("/etc/passwd", `${root}/outside`);
  symlinkSync("src/app.ts", `${root}/inside`);
  execFileSync("mkfifo", [`${root}/pipe`]);
  const searches = ENGINES.map(({ name, setup }) => ({ name, search: openDesk([root], setup()).search }));
  for (const query of Q) {
    const answers = await Promise.all(
      searches.map(async ({ name, search }) => [name, await told(search, root, query)] as const),
    );
    const [, first] = answers[0] as (typeof answers)[number];
    for (const [name, answer] of answers) expect([name, answer]).toEqual([name, first]);
  }
});
