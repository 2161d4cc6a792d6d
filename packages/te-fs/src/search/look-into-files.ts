import { constants } from "node:fs";
import type { Hand } from "../hand.js";
import { kindOf } from "../kernel/kind.js";
import {
  close,
  fill,
  fstat,
  hasCode,
  inFolder,
  open,
  type Bytes,
  type Descriptor,
  type Steps,
} from "../kernel/syscalls.js";
import { join } from "../path/names.js";
import type { Tree } from "../path/walk.js";
import { READ_FILE } from "./flags.js";
import { enterGround, type Ground } from "./ground.js";
import type { SecondLookOptions } from "./look-at-names.js";
import { isOutOfReach, Reach } from "./reach.js";

const LOOKED_AT = 8192;
/** One trip through the driver for so many. */
const FILES_AT_ONCE = 64;
// Known to be a file a moment ago. What it is by now is asked before it is read; a device that was put there must be
// root's doing.
const READ_NAME = READ_FILE | constants.O_NOFOLLOW;

/**
 * What a file holds, by its first 8 KiB: text, text behind a byte order mark, or a NUL byte without such a mark. What may
 * not be read is "unreadable".
 */
export type FileText = "plain" | "UTF-8 mark" | "UTF-16" | "binary" | "unreadable";

/** What these files hold; undefined: gone, closed or out of reach. In the order of the question. */
export async function lookIntoFiles(
  hand: Hand,
  ground: Ground,
  ways: readonly Bytes[],
  { signal }: SecondLookOptions = {},
): Promise<(FileText | undefined)[]> {
  const reach = new Reach(hand.tree, ground);
  const answers: (FileText | undefined)[] = ways.map(() => undefined);
  // In the order of the folders, so that each is entered once.
  const order = ways.map((_, index) => index).toSorted((a, b) => ((ways[a] as Bytes) < (ways[b] as Bytes) ? -1 : 1));
  const room = Buffer.allocUnsafe(LOOKED_AT);
  try {
    for (let at = 0; at < order.length; at += FILES_AT_ONCE) {
      const some = order.slice(at, at + FILES_AT_ONCE);
      await hand.run(lookInto(hand.tree, ground, reach, { ways, some, answers, room }), ground.path, signal);
    }
    return answers;
  } finally {
    await hand.run(reach.end(), ground.path).catch(() => {});
  }
}

interface Looking {
  readonly ways: readonly Bytes[];
  readonly some: readonly number[];
  readonly answers: (FileText | undefined)[];
  readonly room: Buffer;
}

function* lookInto(tree: Tree, ground: Ground, reach: Reach, { ways, some, answers, room }: Looking): Steps<void> {
  for (const index of some) {
    try {
      answers[index] = yield* textOf(tree, ground, reach, ways[index] as Bytes, room);
    } catch (thrown) {
      if (hasCode(thrown, "EACCES", "EPERM")) answers[index] = "unreadable";
      else if (!isOutOfReach(thrown)) throw thrown;
    }
  }
}

function* textOf(tree: Tree, ground: Ground, reach: Reach, way: Bytes, room: Buffer): Steps<FileText | undefined> {
  const file = yield* way === "" ? openGround(tree, ground) : openBelow(tree, reach, way);
  if (file === undefined) return undefined;
  try {
    const stat = yield* fstat(file);
    if (kindOf(stat) !== "file") return undefined;
    yield* tree.closed.refuseFound(stat, file.mount, ground.path);
    const head = room.subarray(0, yield* fill(file, room, 0));
    return textIn(head);
  } finally {
    yield* close(file);
  }
}

function* openBelow(tree: Tree, reach: Reach, way: Bytes): Steps<Descriptor | undefined> {
  const cut = way.lastIndexOf("/");
  const name = way.slice(cut + 1);
  const at = yield* reach.folder(way.slice(0, Math.max(0, cut)));
  if (at === undefined || name === "" || name === ".." || reach.isShut(at.real, name)) return undefined;
  return yield* open(tree.mounts.network(join(at.real, name)), inFolder(at.folder, name), READ_NAME);
}

function* openGround(tree: Tree, ground: Ground): Steps<Descriptor> {
  const { entry } = yield* enterGround(tree, ground);
  try {
    return yield* open(entry.mount, `/proc/self/fd/${entry.fd}`, READ_FILE);
  } finally {
    yield* close(entry);
  }
}

function textIn(head: Buffer): FileText {
  if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)) return "UTF-16";
  if (head.includes(0)) return "binary";
  return head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? "UTF-8 mark" : "plain";
}
