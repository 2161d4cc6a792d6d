import type { Files } from "@llmc/te-fs";
import type { ContentFound } from "./content-found.js";
import type { ContentOptions, ContentQuery, SearchOptions } from "./content-query.js";
import type { NamesFound, NamesQuery } from "./names/names-query.js";

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
  names(query: NamesQuery, options: SearchOptions): Promise<NamesFound>;
  engines(): Promise<Engines>;
  /** Ends what still runs. */
  close(): Promise<void>;
}
