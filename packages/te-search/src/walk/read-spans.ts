import { fill, type Descriptor, type OpenScope, type Work } from "@llmc/te-path";
import type { Bytes } from "@llmc/names";
import type { SearchRoot } from "../search-root/search-root.js";
import { tolerant, type SecondLookOptions } from "./look-at-names.js";
import { Reach } from "./reach.js";
import { withFile } from "./verify-lines.js";

/** Wanted parts of a file. */
export interface FileSpans {
  /** Path below the search root; "" is the root itself. */
  readonly way: Bytes;
  readonly spans: readonly { readonly from: number; readonly to: number }[];
}

/** Reads parts of the files that may be read, in the given order. A part ends at the end of the file. */
export async function readSpans(
  scope: OpenScope,
  searchRoot: SearchRoot,
  files: readonly FileSpans[],
  { signal }: SecondLookOptions = {},
): Promise<(readonly Buffer[] | undefined)[]> {
  const reach = new Reach(scope, searchRoot);
  const parts: (readonly Buffer[] | undefined)[] = files.map(() => undefined);
  // Folders that several files share are opened once.
  const order = files.map((_, index) => index).toSorted((a, b) => (wayOf(files, a) < wayOf(files, b) ? -1 : 1));
  try {
    for (const index of order) {
      const { way, spans } = files[index] as FileSpans;
      const work = withFile({ scope, searchRoot, reach }, way, (file) => partsOf(file, spans));
      parts[index] = await tolerant(scope.run(work, searchRoot.path, signal), signal);
    }
    return parts;
  } finally {
    await scope.run(reach.end(), searchRoot.path).catch(() => {});
  }
}

function wayOf(files: readonly FileSpans[], index: number): Bytes {
  return (files[index] as FileSpans).way;
}

function* partsOf(file: Descriptor, spans: FileSpans["spans"]): Work<readonly Buffer[]> {
  const parts: Buffer[] = [];
  for (const { from, to } of spans) {
    const room = Buffer.allocUnsafe(to - from);
    parts.push(room.subarray(0, yield* fill(file, room, from)));
  }
  return parts;
}
