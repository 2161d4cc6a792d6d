import { InvalidArgumentError } from "@llmc/errors";
import type {
  ContentOptions,
  ContentQuery,
  HeldText,
  Hit,
  HitFile,
  Search,
  SearchRoot,
  TextFound,
} from "@llmc/te-search";
import { demandReachable, handleIdIn, isHandleName, readPayload } from "../../../answer/handle.js";
import { cutLine, eachLine, inUtf8, offsetOfLine, type LineRange } from "../../../answer/text-lines.js";
import type { LinuxOpsContext } from "../../../context/context.js";
import { readAround, type AroundOptions, type Lines } from "./around.js";
import { windowOf, type Width } from "./lines.js";
import { readNear } from "./near.js";

/** A search root, or the name of a text that is searched in its place. */
export type FoundRoot = SearchRoot | { readonly kind: "text"; readonly path: string };

export type Found = TextFound & { readonly searchRoot: FoundRoot };

/** What is searched: files below a root, or the text that a handle keeps. */
export interface Source {
  find(query: ContentQuery, options: ContentOptions): Promise<Found>;
  /** Reads the lines around hits; a file is missing where they could not be read. */
  read(wanted: Wanted, options: ReadOptions, searchRoot: FoundRoot): Promise<ReadonlyMap<HitFile, Lines>>;
}

type Wanted = ReadonlyMap<HitFile, readonly Hit[]>;

export interface ReadOptions extends AroundOptions {
  readonly width: Width;
}

/** Up to so many lines around a hit are read at its place. */
const NEAR = 20;

/** A path wins over a handle that has the same name. */
export async function openSource(root: string, search: Search, context: LinuxOpsContext): Promise<Source> {
  const isPath = !isHandleName(root) || (await context.files.exists(root, context).catch(() => false));
  if (!isPath) return await textSource(handleIdIn(root), search, context);
  return {
    find: (query, options) => search.content(query, options),
    async read(wanted, options, searchRoot) {
      const { width, maxLineChars, until } = options;
      const isNear = width.before + width.after <= NEAR && performance.now() < until;
      const found =
        isNear && searchRoot.kind !== "text"
          ? await readNear(wanted, width, { search, searchRoot, maxLineChars, signal: context.signal })
          : new Map<HitFile, Lines>();
      for (const [file, hits] of wanted)
        if (!found.has(file)) found.set(file, await readAround(file, rangesOf(hits, width), options, context));
      return found;
    },
  };
}

function rangesOf(hits: readonly Hit[], width: Width): LineRange[] {
  return hits.map((hit) => windowOf(hit, width)).toSorted((a, b) => a.from - b.from);
}

const OF_FILES = ["file_glob", "type", "sort"];

async function textSource(id: string, search: Search, context: LinuxOpsContext): Promise<Source> {
  const name = OF_FILES.find((each) => context.given.has(each));
  if (name !== undefined)
    throw new InvalidArgumentError(`${name} does not go with a handle, which is one text`, `Leave out ${name}.`);
  const { handle, bytes } = await readPayload(id, context);
  await demandReachable(handle, context);
  return heldSource({ name: id, bytes: inUtf8(bytes) }, search, context);
}

/** A text in memory as a source. */
export function heldSource(text: HeldText, search: Search, { signal }: Pick<LinuxOpsContext, "signal">): Source {
  const searchRoot = { kind: "text", path: text.name } as const;
  return {
    find: async (query, options) => ({ ...(await search.text(text, query, options)), searchRoot }),
    async read(wanted, { width, maxLineChars }) {
      const found = new Map<HitFile, Lines>();
      for (const [file, hits] of wanted)
        found.set(file, await linesIn(text.bytes, rangesOf(hits, width), { maxLineChars, signal }));
      return found;
    },
  };
}

async function linesIn(
  bytes: Buffer,
  ranges: readonly LineRange[],
  { maxLineChars, signal }: { readonly maxLineChars: number; readonly signal: AbortSignal },
): Promise<Lines> {
  const lines = new Map<number, string>();
  let [offset, at] = [0, 1];
  for (const { from, to } of ranges) {
    if (at < from) {
      offset += await offsetOfLine(bytes.subarray(offset), from - at + 1, signal);
      at = from;
    }
    eachLine(bytes, offset, (line, next) => {
      if (at > to) return false;
      lines.set(at, cutLine(line, maxLineChars));
      at += 1;
      offset = next;
      return true;
    });
  }
  return lines;
}
