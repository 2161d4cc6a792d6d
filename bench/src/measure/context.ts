import type { Row } from "../report/row.js";
import type { Files } from "./files.js";
import type { Outcome } from "./interleave.js";
import type { Places, Servers } from "./servers.js";

export interface Context {
  readonly quick: boolean;
  readonly places: Places;
  readonly servers: Servers;
  /** Made at first use: not every group needs 150 MB. */
  readonly files: () => Promise<Files>;
  /** `full` rounds, or a tenth of them where a glance is enough. */
  rounds(full: number): number;
}

export type Group = (context: Context) => Promise<readonly Row[]>;

/** An outcome as the samples of a row. */
export function samplesOf(outcomes: ReadonlyMap<string, Outcome>, subject: string): Outcome {
  return outcomes.get(subject) ?? { samples: [], missing: "it was not run" };
}
