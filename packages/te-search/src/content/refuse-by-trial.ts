import { InvalidArgumentError } from "@llmc/errors";
import type { Grep } from "../engines/find-engines.js";
import { runOptions, type Job } from "./job.js";

/** grep says what is wrong with a pattern at each start: it is asked once, over nothing. */
export async function refuseByTrial(job: Job, grep: Grep, pattern: readonly string[]): Promise<void> {
  const { exitCode, stderr } = await job.place.run([grep.program, "-c", ...pattern], "root", {
    ...runOptions(job),
    maxBytes: 4096,
    stdin: "",
  });
  if (exitCode !== 2) return;
  const [said = ""] = stderr.toString("utf8").split("\n");
  const problem = said.replace(/^.*?grep: /, "") || "it is not taken";
  throw new InvalidArgumentError(
    `${grep.name} cannot read the pattern: ${problem}`,
    "To search for the text itself pass literal: true.",
  );
}
