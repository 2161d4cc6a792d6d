import {
  type OpenScope,
  PROC_FD,
  kindOf,
  close,
  fill,
  fstat,
  inFolder,
  open,
  type Descriptor,
  type Work,
  LOOK,
  type Scope,
  READ_FILE,
} from "@llmc/te-path";
import { type Bytes, join } from "@llmc/names";
import { type SearchRoot } from "../search-root/search-root.js";
import { enterSearchRoot } from "../search-root/find-search-root.js";
import { tolerant, type SecondLookOptions } from "./look-at-names.js";
import { Reach } from "./reach.js";

/** Lines that a program says it has seen in a file. */
export interface ClaimedFile {
  /** Path below the search root; "" is the search root itself. */
  readonly way: Bytes;
  readonly lines: readonly ClaimedLine[];
}

export interface ClaimedLine {
  readonly offset: number;
  readonly bytes: Buffer;
}

/** Opens files below a search root. */
export interface FileSearch {
  readonly scope: Scope;
  readonly searchRoot: SearchRoot;
  readonly reach: Reach;
}

/** Lines this close together are read in one go. */
const READ_AT_ONCE = 64 * 1024;

/** Whether the lines stand there, in files that may be read. In the order of the question. */
export async function verifyLines(
  scope: OpenScope,
  searchRoot: SearchRoot,
  files: readonly ClaimedFile[],
  { signal }: SecondLookOptions = {},
): Promise<boolean[][]> {
  const reach = new Reach(scope, searchRoot);
  const answers: boolean[][] = [];
  try {
    for (const { way, lines } of files) {
      const work = withFile({ scope, searchRoot, reach }, way, (file) => verified(file, lines));
      const found = await tolerant(scope.run(work, searchRoot.path, signal), signal);
      answers.push(found ?? lines.map(() => false));
    }
    return answers;
  } finally {
    await scope.run(reach.end(), searchRoot.path).catch(() => {});
  }
}

/** Returns undefined for a missing or forbidden file. */
export function* withFile<T>(
  { scope, searchRoot, reach }: FileSearch,
  way: Bytes,
  use: (file: Descriptor) => Work<T>,
): Work<T | undefined> {
  const entry = way === "" ? (yield* enterSearchRoot(scope, searchRoot)).entry : yield* reachFile(scope, reach, way);
  if (entry === undefined) return undefined;
  try {
    const stat = yield* fstat(entry);
    if (kindOf(stat) !== "file") return undefined;
    yield* scope.forbidden.refuseFound(stat, entry.mount, searchRoot.path);
    const file = yield* open(entry.mount, `${PROC_FD}/${entry.fd}`, READ_FILE);
    try {
      return yield* use(file);
    } finally {
      yield* close(file);
    }
  } finally {
    yield* close(entry);
  }
}

function* reachFile(scope: Scope, reach: Reach, way: Bytes): Work<Descriptor | undefined> {
  const cut = way.lastIndexOf("/");
  const name = way.slice(cut + 1);
  const at = yield* reach.folder(way.slice(0, Math.max(0, cut)));
  if (at === undefined || name === "" || name === ".." || reach.isForbidden(at.real, name)) return undefined;
  const mount = scope.mounts.network(join(at.real, name));
  return yield* open(mount, inFolder(at.folder, name), LOOK);
}

function* verified(file: Descriptor, lines: readonly ClaimedLine[]): Work<boolean[]> {
  const answers = lines.map(() => false);
  const order = lines.map((_, index) => index).toSorted((a, b) => at(lines, a).offset - at(lines, b).offset);
  let window = Buffer.alloc(0);
  let start = 0;
  for (const [nth, index] of order.entries()) {
    const { offset, bytes } = at(lines, index);
    if (offset < start || offset + bytes.length > start + window.length) {
      start = offset;
      window = Buffer.alloc(reachOf(lines, order, nth));
      window = window.subarray(0, yield* fill(file, window, start));
    }
    const from = offset - start;
    answers[index] = window.subarray(from, from + bytes.length).equals(bytes);
  }
  return answers;
}

/** How much is read for this line and those behind it. */
function reachOf(lines: readonly ClaimedLine[], order: readonly number[], nth: number): number {
  const { offset, bytes } = at(lines, order[nth] as number);
  let end = offset + bytes.length;
  for (const index of order.slice(nth + 1, nth + 1000)) {
    const next = at(lines, index);
    if (next.offset + next.bytes.length - offset > READ_AT_ONCE) break;
    end = Math.max(end, next.offset + next.bytes.length);
  }
  return end - offset;
}

function at(lines: readonly ClaimedLine[], index: number): ClaimedLine {
  return lines[index] as ClaimedLine;
}
