import { loadConfig } from "@llmc/config";
import { openFilters, type Filters } from "@llmc/envelope";
import type { Places } from "../command-line/asked.js";

/** Loads the person's filters of outputs; tells of broken ones. */
export async function loadFilters({ config, dataDir }: Places): Promise<Filters> {
  const { filters } = await loadConfig({ file: config, dataDir });
  const report = (problem: string) => void process.stderr.write(`te: ${problem}\n`);
  for (const { problem } of filters) if (problem !== null) report(problem);
  return openFilters(filters, report);
}
