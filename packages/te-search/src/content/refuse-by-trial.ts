import { InvalidArgumentError } from "@llmc/errors";
import type { Grep, Ripgrep } from "../engines/engine.js";
import { engineLog } from "./engine-log.js";
import { endOf, runOptions, type Job, type Runner } from "./job.js";
import { patternArguments } from "./rg-arguments.js";

/** An engine that gets no file says nothing about the pattern, unless it is asked over nothing. */
export async function refuseByRipgrep(job: Job, rg: Ripgrep): Promise<void> {
  const log = engineLog();
  const argv = [rg.program, "--no-config", "--quiet", ...patternArguments(job.query, rg), "--", "-"] as const;
  const result = await job.place.run(argv, "root", {
    ...runOptions(job),
    stdin: "",
    onStderr: (chunk) => log.feed(chunk),
  });
  log.end();
  endOf(result, log, rg.name);
}

/** The same of grep, which says what is wrong at each start: it is asked once. */
export async function refuseByGrep(job: Runner, grep: Grep, pattern: readonly string[]): Promise<void> {
  const { exitCode, stderr } = await job.place.run([grep.program, "-c", ...pattern], "root", {
    ...runOptions(job),
    maxBytes: 4096,
    stdin: "",
  });
  if (exitCode !== 2) return;
  const [said = ""] = stderr.toString("utf8").split("\n");
  const problem = said.replace(/^.*?grep: /, "") || "it is not taken";
  throw new InvalidArgumentError(`${grep.name} cannot read the pattern: ${problem}`, { id: "search-as-text", problem });
}
