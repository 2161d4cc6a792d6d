import type { Ripgrep } from "../engines/engine.js";
import { byFile } from "./by-file.js";
import type { Job } from "./job.js";
import { ALWAYS, byFileArguments, lineByLine, patternArguments } from "./rg-arguments.js";
import { rgMessages } from "./rg-messages.js";
import { waysBehind, type ListedEngine } from "./search-listed.js";

/** ripgrep over names that it is given: what is binary was said before. */
export function listedRipgrep(job: Job, rg: Ripgrep): ListedEngine {
  const { query, sink, place } = job;
  const wayOf = waysBehind(job);
  // What is looked at again are lines.
  const telling = place.held === "witness" ? undefined : byFileArguments(query);
  return {
    name: rg.name,
    program: rg.program,
    arguments: [...ALWAYS, "--text", ...(telling ?? lineByLine(query)), ...patternArguments(query, rg), "--"],
    read:
      telling === undefined
        ? rgMessages(sink, { wayOf, onBinary: () => undefined, namesFiles: query.mode === "files" }).feed
        : byFile(sink, { counts: query.mode === "count", wayOf }),
    readsMarks: true,
  };
}
