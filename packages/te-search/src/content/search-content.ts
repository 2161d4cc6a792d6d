import { findSearchRoot } from "../search-root/find-search-root.js";
import { EngineUnavailableError } from "@llmc/errors";
import { displayBelow } from "@llmc/names";
import type { Files } from "@llmc/te-fs";
import type { Cell, Missing, Pipes } from "@llmc/te-run";
import type { ContentFound } from "../query/content-found.js";
import type { ContentOptions, ContentQuery } from "../query/content-query.js";
import type { FoundEngines, Grep, Ripgrep } from "../engines/engine.js";
import type { Bytes } from "@llmc/names";
import type { SearchRoot } from "../search-root/search-root.js";
import { globsOfType } from "./file-types.js";
import { checkQuery } from "./check-query.js";
import { together, type Driven, type Job } from "./job.js";
import { givenNames, walkedNames, without, type ListedNames } from "./listed-names.js";
import { placeFor } from "./place-for.js";
import { listedRipgrep } from "./listed-ripgrep.js";
import { refuseByRipgrep } from "./refuse-by-trial.js";
import { searchByGrep } from "./search-by-grep.js";
import { searchDirectly } from "./search-directly.js";
import { searchListed } from "./search-listed.js";
import { Trusting } from "./sink.js";
import { Tally } from "./tally.js";
import { verifiedSink } from "./verified-sink.js";

export interface ContentDesk {
  readonly files: Files;
  readonly engines: () => Promise<FoundEngines>;
  readonly cell: () => Promise<Cell | Missing>;
  readonly pipes: Pipes;
}

export async function searchContent(
  { files, engines: find, cell: make, pipes }: ContentDesk,
  query: ContentQuery,
  { signal, deadlineMs, onHit }: ContentOptions,
): Promise<ContentFound> {
  const deadline = performance.now() + deadlineMs;
  checkQuery(query);
  const typeGlobs = query.type === undefined ? [] : globsOfType(query.type);
  const [searchRoot, { content: engine, xargs }, cell] = await Promise.all([
    findSearchRoot(files.scope, query.root, { cwd: query.cwd, signal }),
    find(),
    make(),
  ]);
  if (engine === null) throw noEngine();
  const place = await placeFor(files, searchRoot, "run" in cell && !searchRoot.hasAliases ? cell : undefined);
  try {
    const tally = new Tally(query, (way) => shown(searchRoot, way), onHit);
    const second =
      place.held === "witness" ? verifiedSink(tally, query.maxLineChars, { files, searchRoot, signal }) : undefined;
    const sink = second ?? new Trusting(tally, query.maxLineChars);
    const job: Job = { files, searchRoot, query, place, sink, pipes, signal, deadline };
    const told = (): ReadonlySet<Bytes> => new Set(tally.files.map(({ way }) => way));
    const driven = await drive(job, { engine, xargs, typeGlobs, told });
    await sink.end();
    return answer(job, engine, tally, { ...driven, changed: second?.changed ?? 0 });
  } finally {
    await place.close();
  }
}

interface With {
  readonly engine: Ripgrep | Grep;
  readonly xargs: string | null;
  readonly typeGlobs: readonly string[];
  /** Files of which hits were told. */
  readonly told: () => ReadonlySet<Bytes>;
}

async function drive(job: Job, { engine, xargs, typeGlobs, told }: With): Promise<Driven> {
  const given = job.searchRoot.kind === "file" ? [""] : job.query.among?.ways;
  const names = (): ListedNames => (given === undefined ? walkedNames({ ...job, typeGlobs }) : givenNames(given));
  if (engine.kind === "grep") return await searchByGrep(job, engine, names, xargs);
  if (!walksItself(job, engine, typeGlobs)) {
    const trial = (): Promise<void> => refuseByRipgrep(job, engine);
    return await searchListed(job, listedRipgrep(job, engine), names(), { xargs, trial });
  }
  const driven = await searchDirectly(job, engine);
  if (driven === "held up")
    return await searchListed(job, listedRipgrep(job, engine), without(names(), told()), { xargs });
  if (driven.endedBy !== null || driven.unfinished.length === 0) return driven;
  const rest = givenNames(driven.unfinished);
  return together(driven, await searchListed(job, listedRipgrep(job, engine), rest, { xargs }));
}

/** Where nothing but the root is in sight, ripgrep may go where it wants. Its own globs would undo ignore rules. */
function walksItself({ place, query }: Job, { tellsBinary }: Ripgrep, typeGlobs: readonly string[]): boolean {
  const isNarrowed = (query.glob ?? []).length + typeGlobs.length > 0 || query.among !== undefined;
  return place.searchRoot !== undefined && tellsBinary && !isNarrowed;
}

function answer(
  { searchRoot, place }: Job,
  engine: Ripgrep | Grep,
  tally: Tally,
  { ignored, hidden, unreadable, binary, atLeast, inPart, changed, ...driven }: Driven & { readonly changed: number },
): ContentFound {
  const endedBy = driven.endedBy ?? (tally.isFull ? "scan bound" : null);
  return {
    searchRoot,
    engine: engine.name,
    held: place.held,
    total: tally.total,
    exact: endedBy === null && !inPart && changed === 0,
    endedBy,
    files: tally.files,
    kept: tally.kept,
    leftOut: { ignored, hidden, binary, unreadable, changed, atLeast },
  };
}

function shown(searchRoot: SearchRoot, way: Bytes): string {
  return way === "" ? searchRoot.path : displayBelow(searchRoot.path, [way]);
}

export function noEngine(): EngineUnavailableError {
  return new EngineUnavailableError(
    "Search of contents",
    "neither ripgrep nor grep is installed",
    "Install ripgrep (the package is called ripgrep), or GNU grep.",
  );
}
