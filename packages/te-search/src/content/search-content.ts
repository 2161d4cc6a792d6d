import { EngineUnavailableError } from "@llmc/errors";
import { showBelow, type Files } from "@llmc/te-fs";
import type { Cell, Missing } from "@llmc/te-shell";
import type { ContentFound } from "../content-found.js";
import type { ContentOptions, ContentQuery } from "../content-query.js";
import type { FoundEngines, Grep, Ripgrep } from "../engines/find-engines.js";
import type { Bytes, Ground } from "../files.js";
import { globsOfType } from "./file-types.js";
import { checkQuery } from "./check-query.js";
import type { Driven, Job } from "./job.js";
import { givenNames, walkedNames } from "./listed-names.js";
import { placeFor } from "./place.js";
import { tellingArguments } from "./rg-arguments.js";
import { searchDirectly } from "./search-directly.js";
import { listedRipgrep, searchListed } from "./search-listed.js";
import { trusting } from "./sink.js";
import { createTally, type Tally } from "./tally.js";

export interface ContentDesk {
  readonly files: Files;
  readonly engines: () => Promise<FoundEngines>;
  readonly cell: () => Promise<Cell | Missing>;
}

export async function searchContent(
  { files, engines: find, cell: make }: ContentDesk,
  query: ContentQuery,
  { signal, deadlineMs, onHit }: ContentOptions,
): Promise<ContentFound> {
  const deadline = performance.now() + deadlineMs;
  checkQuery(query);
  const typeGlobs = query.type === undefined ? [] : globsOfType(query.type);
  const [ground, { content: engine, xargs }, cell] = await Promise.all([
    files.ground(query.root, { cwd: query.cwd, signal }),
    find(),
    make(),
  ]);
  if (engine === null) throw noEngine();
  const place = await placeFor(files, ground, "run" in cell ? cell : undefined);
  try {
    const tally = createTally(query, (way) => shown(ground, way), onHit);
    const sink = trusting(tally, query.maxLineChars);
    const job: Job = { files, ground, query, place, sink, signal, deadline };
    const driven = await drive(job, { engine, xargs, typeGlobs });
    return answer(job, engine, tally, driven);
  } finally {
    await place.close();
  }
}

interface With {
  readonly engine: Ripgrep | Grep;
  readonly xargs: string | null;
  readonly typeGlobs: readonly string[];
}

async function drive(job: Job, { engine, xargs, typeGlobs }: With): Promise<Driven> {
  const { ground, query, place, signal, deadline } = job;
  const globs = query.glob ?? [];
  if (engine.kind === "grep") throw noEngine();
  if (place.canStandInGround && globs.length === 0 && typeGlobs.length === 0) return await searchDirectly(job, engine);
  const names =
    ground.kind === "file"
      ? givenNames(ground, [""])
      : walkedNames({ files: job.files, ground, query, globs, typeGlobs, signal, deadline });
  return await searchListed(job, listedRipgrep(job, engine, tellingArguments(query)), names, xargs);
}

function answer({ ground, place }: Job, engine: Ripgrep | Grep, tally: Tally, driven: Driven): ContentFound {
  const { endedBy, ignored, hidden, unreadable, binary, atLeast, inPart } = driven;
  return {
    ground,
    engine: engine.name,
    held: place.held,
    total: tally.total,
    exact: endedBy === null && !inPart,
    endedBy,
    files: tally.files,
    kept: tally.kept,
    leftOut: { ignored, hidden, binary, unreadable, changed: 0, atLeast },
  };
}

function shown(ground: Ground, way: Bytes): string {
  return way === "" ? ground.path : showBelow(ground.path, [way]);
}

function noEngine(): EngineUnavailableError {
  return new EngineUnavailableError(
    "Search of contents",
    "neither ripgrep nor grep is installed",
    "Install ripgrep (the package is called ripgrep), or grep.",
  );
}
