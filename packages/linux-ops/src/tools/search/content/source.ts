import { InvalidArgumentError } from "@llmc/errors";
import {
  linesNearIn,
  type ContentOptions,
  type ContentQuery,
  type HeldText,
  type Hit,
  type HitFile,
  type Lines,
  type Search,
  type SearchRoot,
  type TextFound,
} from "@llmc/te-search";
import { handleIdIn, isHandleName, keptText } from "../../../answer/handle.js";
import type { LinuxOpsContext } from "../../../context/context.js";
import { heldAround, readAround, type AroundOptions } from "./around.js";

/** Search root, or the handle whose text is searched instead. */
export type FoundRoot = SearchRoot | { readonly kind: "text"; readonly path: string };

export type Found = TextFound & { readonly searchRoot: FoundRoot };

/** Files below a root, or the text of a handle. */
export interface Source {
  find(query: ContentQuery, options: ContentOptions): Promise<Found>;
  /** Reads the lines around hits; a file that cannot be read has none. */
  read(wanted: Wanted, around: AroundOptions, searchRoot: FoundRoot): Promise<ReadonlyMap<HitFile, Lines>>;
}

type Wanted = ReadonlyMap<HitFile, readonly Hit[]>;

/** Most lines around a hit that are read at its offset. */
const NEAR = 20;

/** Opens a path, or a handle if no such path exists. */
export async function openSource(root: string, search: Search, context: LinuxOpsContext): Promise<Source> {
  const isPath = !isHandleName(root) || (await context.files.exists(root, context).catch(() => false));
  if (!isPath) return await textSource(handleIdIn(root), search, context);
  return {
    find: (query, options) => search.content(query, options),
    async read(wanted, around, searchRoot) {
      const isNear = around.before + around.after <= NEAR && performance.now() < around.until;
      const found =
        isNear && searchRoot.kind !== "text"
          ? await search.linesNear(searchRoot, wanted, around, context.signal)
          : new Map<HitFile, Lines>();
      for (const [file, hits] of wanted)
        if (!found.has(file)) found.set(file, await readAround(file, hits, around, context));
      return found;
    },
  };
}

const OF_FILES = ["file_glob", "type", "sort"];

async function textSource(id: string, search: Search, context: LinuxOpsContext): Promise<Source> {
  const name = OF_FILES.find((each) => context.given.has(each));
  if (name !== undefined)
    throw new InvalidArgumentError(`${name} does not go with a handle, which is one text`, `Leave out ${name}.`);
  const { bytes } = await keptText(id, context);
  return heldSource({ name: id, bytes }, search, context);
}

export function heldSource(text: HeldText, search: Search, { signal }: Pick<LinuxOpsContext, "signal">): Source {
  const searchRoot = { kind: "text", path: text.name } as const;
  return {
    find: async (query, options) => ({ ...(await search.text(text, query, options)), searchRoot }),
    async read(wanted, around) {
      const found = new Map<HitFile, Lines>();
      for (const [file, hits] of wanted)
        found.set(file, linesNearIn(text.bytes, hits, around) ?? (await heldAround(text.bytes, hits, around, signal)));
      return found;
    },
  };
}
