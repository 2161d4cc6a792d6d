import type { Files } from "@llmc/te-fs";
import type { Cell, Missing } from "@llmc/te-run";
import type { SearchRoot } from "../search-root/search-root.js";
import { fdFeed } from "./fd-feed.js";
import type { FdProgram } from "./fd-program.js";
import type { NamesQuery } from "../query/names-query.js";
import type { Fed, FeedOptions } from "./feed.js";
import type { NameFilter } from "./name-filter.js";
import { fileFeed, walkFeed } from "./walk-feed.js";

export interface NameEngines {
  /** Undefined where there is none, or where it would not be faster. */
  readonly fd: () => Promise<FdProgram | undefined>;
  /** Missing: fd runs outside, and is not trusted. */
  readonly cell: () => Promise<Cell | Missing>;
  /** From so many names on a tree is large. */
  readonly large: number;
  /** By real path: grounds that turned out to be large, and whether fd can give their names. */
  readonly known: Map<string, "fd" | "walk">;
}

type Wanted = Omit<FeedOptions, "take"> & Pick<NamesQuery, "type"> & { readonly searchRoot: SearchRoot };

export interface FedFilter extends Fed {
  readonly filter: NameFilter;
  readonly engine: string;
}

const MOST_KNOWN = 200;

/**
 * The walk goes first: it ends most searches before fd would have started. Of a large tree it has made a part in vain
 * when fd takes over; so grounds that are large are remembered.
 */
export async function feedNames(
  { files, engines }: { readonly files: Files; readonly engines: NameEngines },
  wanted: Wanted,
  newFilter: (trusted: boolean) => NameFilter,
): Promise<FedFilter> {
  const filtered = async (
    engine: string,
    trusted: boolean,
    feed: (options: FeedOptions) => Promise<Fed | undefined>,
  ): Promise<FedFilter | undefined> => {
    const filter = newFilter(trusted);
    try {
      const fed = await feed({ ...wanted, take: (folder) => filter.take(folder) });
      return fed && { ...fed, filter, engine };
    } finally {
      await filter.end();
    }
  };
  const whole = async (): Promise<FedFilter> =>
    (await filtered("walk", true, (options) => walkFeed(files, options))) as FedFilter;

  if (wanted.searchRoot.kind === "file") return (await filtered("walk", true, fileFeed)) as FedFilter;
  // It does not tell files from links: each of them would have to be looked at to know its type.
  const fd = wanted.type === undefined ? await engines.fd() : undefined;
  const known = engines.known.get(wanted.searchRoot.real);
  if (fd === undefined || known === "walk") return await whole();
  if (known === undefined) {
    const first = (await filtered("walk", true, (options) => walkFeed(files, options, engines.large))) as FedFilter;
    if (first.ended !== "large") return first;
  }
  const held = await engines.cell();
  const cell = "missing" in held ? undefined : held;
  const byFd = await filtered(`fd ${fd.version}`, cell !== undefined, (options) =>
    fdFeed({ ...options, files, fd, cell }),
  );
  if (engines.known.size >= MOST_KNOWN) engines.known.clear();
  engines.known.set(wanted.searchRoot.real, byFd === undefined ? "walk" : "fd");
  return byFd ?? (await whole());
}
