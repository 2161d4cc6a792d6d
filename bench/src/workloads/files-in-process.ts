// Measures lists and changes of files in one process, a case for each line that it is sent.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { settingsOf } from "@llmc/config";
import { createLinuxOps } from "@llmc/linux-ops";
import { countBelow, entriesOf, makeTree } from "../measure/trees.js";
import { oneEdit, tenHunks, tenKilobytes, type Versions } from "../measure/versions.js";
import { answerLines, type Cases, type Measured } from "./answer-lines.js";
import { bare, oursWith, renaming } from "./hands.js";

interface Request {
  readonly by: keyof typeof hands;
  readonly path: string;
}

const [root = "/nowhere"] = process.argv.slice(2);
const withUndo = open("undo-on", true);
const withoutUndo = open("undo-off", false);
const hands = { bare, renaming, undoOn: oursWith(withUndo, true), undoOff: oursWith(withoutUndo, false) };

const THOUSAND_FILES = { folders: 25, filesInEach: 40 };
const [written, edited] = [tenKilobytes(), oneEdit()];
/** A patch names its file. */
const patched = Object.fromEntries(Object.keys(hands).map((by) => [by, tenHunks(by)]));

const cases: Cases<Request> = {
  list: async ({ by, path }) => {
    let count = 0;
    const ms = await timed(async () => (count = await hands[by].list(path)));
    return { ms, first: String(count) };
  },
  write: ({ by }) => changed("write", by, written, hands[by].write),
  patch: ({ by }) => changed("patch", by, edited, hands[by].patch),
  diff: ({ by }) => changed("diff", by, patched[by] as ReturnType<typeof tenHunks>, hands[by].diff),
  remove: async ({ by }) => {
    const tree = treeFor("remove", by);
    const ms = await timed(() => hands[by].remove(tree));
    if (existsSync(tree)) throw new Error("wrong: it is still there");
    await hands[by].takeBack?.(tree);
    return measured(ms);
  },
  takeBack: async ({ by }) => {
    const tree = treeFor("take-back", by);
    await hands[by].remove(tree);
    const ms = await timed(async () => hands[by].takeBack?.(tree));
    if (countBelow(tree) !== entriesOf(THOUSAND_FILES)) throw new Error("wrong: not all of it is back");
    return measured(ms);
  },
  moveFile: ({ by }) => moved(by, "file", (path) => writeFileSync(path, written.contents[0])),
  moveTree: ({ by }) => moved(by, "tree", (path) => makeTree(path, THOUSAND_FILES)),
};

await answerLines(cases);
await withUndo.close();
await withoutUndo.close();

function open(name: string, enabled: boolean) {
  const dataDir = join(process.cwd(), name);
  return createLinuxOps({ config: settingsOf({ roots: [root], dataDir, mcp: { linux_ops: { undo: { enabled } } } }) });
}

/** All of them work in one folder: where that lies on the disk decides what it costs to make a file in it. */
function placeFor(what: string, by: string): string {
  const folder = join(root, what);
  mkdirSync(folder, { recursive: true });
  return join(folder, by);
}

/** A file that is given the other one of its two contents. */
async function changed<Change>(
  what: string,
  by: string,
  { contents, changes }: Versions<Change>,
  change: (path: string, change: Change) => Promise<unknown>,
): Promise<Measured> {
  const path = placeFor(what, by);
  if (!existsSync(path)) writeFileSync(path, contents[0]);
  const turn = readFileSync(path, "utf8") === contents[0] ? 1 : 0;
  const ms = await timed(() => change(path, changes[turn]));
  if (readFileSync(path, "utf8") !== contents[turn]) throw new Error("wrong: the file has another content");
  return measured(ms);
}

function treeFor(what: string, by: string): string {
  const tree = placeFor(what, by);
  if (!existsSync(tree)) makeTree(tree, THOUSAND_FILES);
  return tree;
}

/** To where it is not. */
async function moved(by: keyof typeof hands, what: string, make: (path: string) => void): Promise<Measured> {
  const here = placeFor(`here-${what}`, by);
  const there = placeFor(`there-${what}`, by);
  if (!existsSync(here) && !existsSync(there)) make(here);
  const [source, target] = existsSync(here) ? [here, there] : [there, here];
  const ms = await timed(() => hands[by].move(source, target));
  if (existsSync(source) || !existsSync(target)) throw new Error("wrong: it is not where it was to be");
  return measured(ms);
}

function measured(ms: number): Measured {
  return { ms, first: "" };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
