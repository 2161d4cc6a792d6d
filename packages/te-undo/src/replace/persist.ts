import { WriteFailedError } from "@llmc/errors";
import { nap } from "../locks/nap.js";

const ATTEMPTS = 20;
const LONGEST_PAUSE_MS = 100;

/** Another program changed the file while its new content was being made: what that wrote must not be lost unseen. */
export class ChangedMeanwhileError extends WriteFailedError {
  constructor(what: string) {
    super(what, "another program changes it all the time", { hint: "Try again." });
  }
}

/** Tries again, after pauses that let two such programs pass each other. */
export async function persist<T>(signal: AbortSignal | undefined, attempt: () => Promise<T>): Promise<T> {
  for (let turn = 1; ; turn++) {
    try {
      return await attempt();
    } catch (thrown) {
      if (turn === ATTEMPTS || !(thrown instanceof ChangedMeanwhileError)) throw thrown;
    }
    if (turn > 1) await nap(Math.random() * Math.min(LONGEST_PAUSE_MS, 2 ** turn), { signal, held: true });
  }
}
