import { lookAtNames } from "./walk/look-at-names.js";
import { linesNear, type Around } from "./hits/near.js";
import type { Lines } from "./hits/lines.js";
import { readSpans } from "./walk/read-spans.js";
import type { Files } from "@llmc/te-fs";
import type { FoundName } from "./walk/found-name.js";
import { bubblewrapCell, openPipes, type Missing } from "@llmc/te-run";
import type { ContentFound, TextFound } from "./query/content-found.js";
import type {
  ContentOptions,
  ContentQuery,
  HeldText,
  Hit,
  HitFile,
  SearchOptions,
  TextQuery,
} from "./query/content-query.js";
import { searchContent } from "./content/search-content.js";
import { searchText } from "./content/search-text.js";
import type { Bytes } from "@llmc/names";
import type { SearchRoot } from "./search-root/search-root.js";
import { findEngines } from "./engines/find-engines.js";
import { type FoundEngines } from "./engines/engine.js";
import { openNames } from "./names/open-names.js";
import type { NamesFound, NamesQuery } from "./query/names-query.js";

/** What openSearch() is given. */
export interface SearchSetup {
  readonly files: Files;
  /** The ripgrep that came with the server; taken before one of the system. */
  readonly packagedRg?: string | null | undefined;
  /** Folders (as in PATH) in which engines are looked for; without it those of the system. */
  readonly path?: string | undefined;
  /** Whether engines run in a mount namespace of their own: "auto" where that works. */
  readonly held?: "auto" | "never" | undefined;
  /** Told what does not work as well as it should. */
  readonly onProblem?: ((message: string) => void) | undefined;
}

/** What a search is done with, as `health` tells it. */
export interface Engines {
  /** "ripgrep 15.0.0 (packaged)", "ripgrep 13.0.0", "grep 3.8"; null where there is none. */
  readonly content: string | null;
  /** "walk", "walk, fd 8.6.0". */
  readonly names: string;
  readonly held: "bubblewrap" | "witness";
  /** Why not bubblewrap. */
  readonly why?: string | undefined;
}

export interface Search {
  content(query: ContentQuery, options: ContentOptions): Promise<ContentFound>;
  /** Searches a text in memory and opens no file. */
  text(text: HeldText, query: TextQuery, options: ContentOptions): Promise<TextFound>;
  names(query: NamesQuery, options: SearchOptions): Promise<NamesFound>;
  /** Returns size and time of each name now; undefined if the name is gone, forbidden or out of reach. */
  lookAtNames(searchRoot: SearchRoot, ways: readonly Bytes[], signal?: AbortSignal): Promise<(FoundName | undefined)[]>;
  /** Reads the lines around hits at their offsets. A file that needs more is missing in the result. */
  linesNear(
    searchRoot: SearchRoot,
    wanted: ReadonlyMap<HitFile, readonly Hit[]>,
    around: Around,
    signal?: AbortSignal,
  ): Promise<Map<HitFile, Lines>>;
  engines(): Promise<Engines>;
  /** Ends what still runs. */
  close(): Promise<void>;
}

const NOT_WANTED: Missing = { missing: "it is switched off" };

/** Engines are looked for at the first search; until there is one, at each. */
export function openSearch({ files, packagedRg, path, held, onProblem }: SearchSetup): Search {
  const cell =
    held === "never" ? { held: () => Promise.resolve(NOT_WANTED) } : bubblewrapCell(path === undefined ? {} : { path });
  let found: Promise<FoundEngines> | undefined;
  const engines = async (): Promise<FoundEngines> => {
    const looked = (found ??= findEngines({ packagedRg, path, onProblem }));
    const all = await looked;
    if (all.content === null && found === looked) found = undefined;
    return all;
  };
  const names = openNames({ files, path, cell });
  const pipes = openPipes();
  const ending = new AbortController();
  const until = (signal: AbortSignal | undefined): AbortSignal =>
    signal === undefined ? ending.signal : AbortSignal.any([signal, ending.signal]);
  return {
    content: (query, options) =>
      searchContent({ files, engines, cell: cell.held, pipes }, query, { ...options, signal: until(options.signal) }),
    text: (text, query, options) => searchText(engines, text, query, { ...options, signal: until(options.signal) }),
    lookAtNames: (searchRoot, ways, signal) => lookAtNames(files.scope, searchRoot, ways, { signal }),
    linesNear: (searchRoot, wanted, around, signal) =>
      linesNear((spans) => readSpans(files.scope, searchRoot, spans, { signal }), wanted, around),
    names: (query, options) => names.search(query, { ...options, signal: until(options.signal) }),
    async engines() {
      const [{ content }, held, namesBy] = await Promise.all([engines(), cell.held(), names.engine()]);
      const packaged = content?.kind === "ripgrep" && content.packaged ? " (packaged)" : "";
      return {
        content: content === null ? null : content.name + packaged,
        names: namesBy,
        ...("run" in held ? { held: "bubblewrap" } : { held: "witness", why: held.missing }),
      };
    },
    async close() {
      ending.abort();
      pipes.close();
      await names.close();
    },
  };
}
