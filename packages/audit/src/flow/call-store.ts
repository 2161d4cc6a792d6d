import { EngineUnavailableError } from "@llmc/errors";
import type { Database } from "@llmc/handles";
import type { Calls, KeptCalls, Retention } from "../store/calls.js";
import { openCalls } from "./open-calls.js";
import type { CallRow } from "../record/row.js";

/** The kept calls, opened at first need and again where that failed. */
export interface CallStore {
  calls(): Promise<Calls>;
  /** At a crash nothing can be opened any more. */
  appendSync(rows: readonly CallRow[]): void;
}

export function createCallStore(database: () => Promise<Database>, retention: Retention): CallStore {
  let opening: Promise<KeptCalls> | undefined;
  let opened: KeptCalls | undefined;

  async function calls(): Promise<Calls> {
    opening ??= database().then((open) => openCalls(open, retention));
    try {
      opened = await opening;
      return opened.calls;
    } catch (thrown) {
      opening = undefined;
      throw thrown;
    }
  }

  function appendSync(rows: readonly CallRow[]): void {
    if (opened === undefined) throw new EngineUnavailableError("The audit database", "it was not open yet", "");
    opened.appendSync(rows);
  }

  return { calls, appendSync };
}
