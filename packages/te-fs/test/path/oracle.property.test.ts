import { lstatSync, readFileSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import * as fc from "fast-check";
import { test } from "vitest";
import { OpsError } from "@llmc/errors";
import { readBytes } from "../../src/index.js";
import { freshDir, plant, type Link } from "../../../te-path/test/tree.js";
import { filesIn } from "../files.js";

const FOLDERS = ["in", "in/a", "in/a/b", "in/c", "out", "out/d"];
const LINKS = ["in/l1", "in/a/l2", "in/a/b/l3", "in/c/l4", "out/l5"];

// Links climb only at their start, as nearly all do: there the text and the kernel mean the same.
const names = fc.array(fc.constantFrom("a", "b", "c", "d", "f", "l1", "l2", "l3", "l4", "in", "out"), { maxLength: 4 });
const climb = fc.nat(4).map((count) => "../".repeat(count));
const relative = fc.tuple(climb, names).map(([up, rest]) => `${up}${rest.join("/")}` || ".");
const target = fc.record({ absolute: fc.boolean(), path: relative, top: fc.constantFrom("in", "out", "in/a") });
const argument = fc.array(
  fc.constantFrom("a", "b", "c", "f", "l1", "l2", "l3", "l4", "l5", "..", ".", "", "in", "out"),
  {
    maxLength: 8,
  },
);

test("whatever the links and the path, a read gives the file that the path means or is refused, and never a byte from outside", async () => {
  const run = fc.asyncProperty(
    fc.array(target, { minLength: LINKS.length, maxLength: LINKS.length }),
    fc.array(argument, { minLength: 30, maxLength: 30 }),
    async (targets, args) => {
      const base = freshDir();
      plant(base, Object.fromEntries(FOLDERS.map((folder) => [`${folder}/f`, `content of ${folder}/f`])));
      const links = targets.map(({ absolute, path, top }, index): [string, Link] => {
        const plain = path.replaceAll("../", "") || ".";
        return [LINKS[index] as string, { to: absolute ? `${base}/${top}/${plain}` : path }];
      });
      plant(base, Object.fromEntries(links));
      const files = filesIn(`${base}/in`);
      for (const parts of args) {
        const path = parts.join("/") || ".";
        const got = await outcome(async () => {
          await using file = await files.open(path);
          return String(await readBytes(file, { offset: 0, length: 100 }));
        });
        const expected = meaning(`${base}/in`, path);
        if (got !== expected) throw new Error(`${path}: expected ${expected}, got ${got}`);
      }
    },
  );
  await fc.assert(run, { numRuns: 60 });
});

async function outcome(read: () => Promise<string>): Promise<string> {
  try {
    return await read();
  } catch (thrown) {
    if (OpsError.is(thrown)) return thrown.code;
    throw thrown;
  }
}

/** What a quiet tree says: `resolve` settles the text, the kernel follows the links, and no link may name a place outside. */
function meaning(root: string, path: string): string {
  const asked = resolve(root, path);
  if (!isInside(root, asked) || leaves(root, asked)) return "INVALID_PATH";
  try {
    const real = realpathSync.native(/\/\.?$/.test(path) ? `${asked}/` : asked);
    return statSync(real).isDirectory() ? "IS_DIRECTORY" : readFileSync(real, "utf8");
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === "ENOTDIR" ? "NOT_A_DIRECTORY" : "NOT_FOUND";
  }
}

function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(`${root}/`);
}

/** Whether a link on the way names a place outside, or there are too many of them. */
function leaves(root: string, path: string, links = 0): boolean {
  if (links > 20) return true;
  const names = path.slice(root.length + 1).split("/");
  for (let count = 1; count <= names.length; count++) {
    const at = join(root, ...names.slice(0, count));
    if (!isLink(at)) continue;
    const target = resolve(dirname(at), readlinkSync(at));
    return !isInside(root, target) || leaves(root, join(target, ...names.slice(count)), links + 1);
  }
  return false;
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}
