import { findProgram } from "@llmc/te-shell";
import type { HealthReport } from "./context.js";
import type { Readers } from "./read/readers.js";
import type { State } from "./state.js";

export interface HealthSources {
  readonly version: string;
  readonly state: State;
  readonly roots: readonly string[];
  readonly readers: Readers;
  readonly problems: () => readonly string[];
}

const ENGINES = ["rg", "grep", "bwrap"] as const;

/** Facts are looked up when somebody asks: none of them is worth a millisecond of the start. */
export function healthReport({ version, state, roots, readers, problems }: HealthSources): () => Promise<HealthReport> {
  const startedAt = performance.now();
  return async () => {
    const [database, ...found] = await Promise.all([state.database(), ...ENGINES.map((name) => findProgram(name))]);
    const engines: HealthReport["engines"] = {
      ...Object.fromEntries(ENGINES.map((name, index) => [name, found[index] ?? null])),
      pdftotext: await readers.pdftotext(),
      sharp: (await readers.scaler())?.version ?? null,
    };
    return {
      version,
      driver: database.kind,
      engines,
      sandbox: engines["bwrap"] === null ? "none found" : "bubblewrap",
      uptimeSec: Math.floor((performance.now() - startedAt) / 1000),
      roots,
      problems: problems(),
    };
  };
}
