import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hasEntryComment } from "../src/house/entry-comment.js";
import { listedFolders } from "../src/house/listed-folders.js";
import { readSource, readSources } from "../src/house/sources.js";
import { linesThatNameTools } from "../src/house/tool-words.js";
import { tables } from "../src/tables.js";
import { ROOT } from "../src/workspace.js";

// Each list below names the packages that do not keep a law yet. It says exactly how it is, so it has to shrink with
// every change for the better, and nothing may be added to it.

/** Lines of code that name a tool, an argument or a setting; `pnpm house --names` prints them. */
const STILL_NAMING: Readonly<Record<string, number>> = {};

/** Packages whose entry file does not begin with a comment that explains the package's design. */
const STILL_WITHOUT_COMMENT: readonly string[] = [];

/** Packages with a row in FOLDERS whose README does not list the folders in their order. */
const STILL_WITHOUT_LIST: readonly string[] = [];

const packages = readSources();

test("below linux-ops no code names a tool, an argument or a setting: it gives facts and remedies", () => {
  const named = packages.map(({ dir, files }) => [dir, linesThatNameTools(dir, files).length] as const);

  expect(Object.fromEntries(named.filter(([, lines]) => lines > 0))).toEqual(STILL_NAMING);
});

test("each package's entry file begins with a comment on its design", () => {
  const without = packages.filter(({ files }) => !hasEntryComment(files)).map(({ dir }) => dir);

  expect(without).toEqual(STILL_WITHOUT_COMMENT);
});

test("each README lists the folders of its package in their order", () => {
  const rows = packages.flatMap(({ dir }) => {
    const entries = tables.FOLDERS[dir.replace(/^.*\//, "")];
    return entries === undefined ? [] : [[dir, entries.filter((entry) => !entry.endsWith(".ts"))] as const];
  });
  const readme = (dir: string) => readFileSync(join(ROOT, dir, "README.md"), "utf8");

  const without = rows.filter(([dir, folders]) => listedFolders(readme(dir)).join() !== folders.join());
  expect(without.map(([dir]) => dir)).toEqual(STILL_WITHOUT_LIST);
});

describe("what the laws look at", () => {
  test.for([
    ["packages/te-fs", 1],
    ["packages/names", 1],
    ["packages/linux-ops", 0],
    ["apps/mcp-stdio", 0],
  ] as const)("a tool's name in %s counts %i times", ([dir, count]) => {
    expect(linesThatNameTools(dir, [readSource("a.ts", 'const hint = "run_cmd";\n// run_cmd\n')])).toHaveLength(count);
  });

  test.for([
    ["index.ts", "// Reads.\nexport {};\n", true],
    ["index.ts", "/** Reads. */\nexport {};\n", true],
    ["main.ts", "#!/usr/bin/env node\n// Reads.\n", true],
    ["main.ts", '#!/usr/bin/env node\nimport "./a.js";\n', false],
    ["index.ts", "export {};\n// Reads.\n", false],
    ["other.ts", "// Reads.\n", false],
  ] as const)("%s with %j begins with a comment: %s", ([path, text, begins]) => {
    expect(hasEntryComment([{ path, text }])).toBe(begins);
  });

  test("folders are listed as items, numbered or not; other words between backticks are not folders of the list", () => {
    const readme =
      "- `before/`\n\n## Folders\n\nReads `/proc/` and `other/`.\n\n1. `a/`: one\n2. `b-c/` two\n- `d/`\n- **`e/`**\n";

    expect(listedFolders(readme)).toEqual(["a", "b-c", "d"]);
  });
});
