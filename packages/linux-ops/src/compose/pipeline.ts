import type { Audit, Logger } from "@llmc/audit";
import type { Settings } from "@llmc/config";
import { confirm, deadline, gate, limit, observe, parseArguments, type Access, type Middleware } from "@llmc/toolkit";
import { didYouMean } from "../hints/did-you-mean.js";
import { ALIASES } from "../hints/aliases.js";
import { inWords } from "../hints/worded.js";
import { idleClock } from "./idle-clock.js";
import type { OpenShared } from "./open-shared.js";

export interface PipelineParts {
  readonly shared: Pick<OpenShared, "files" | "managed">;
  readonly audit: Audit;
  readonly access: Access;
  readonly log: Logger | null;
}

/** Calls of one token that may wait, for each that may run: a waiting call costs next to nothing, a refused one a turn. */
const WAITING_PER_RUNNING = 128;

/** The layers around every call of every module, outermost first. */
export function pipeline({ mcp }: Settings, { shared, audit, access, log }: PipelineParts): readonly Middleware[] {
  const { tools, limits } = mcp;
  return [
    observe({ sinks: [audit.sink], onSinkError: (error) => log?.error({ error: String(error) }, "a sink failed") }),
    inWords(),
    gate(access),
    parseArguments(ALIASES),
    confirm({ mode: tools.confirm, timeoutMs: tools.confirm_timeout_sec * 1000 }),
    limit({
      concurrency: limits.concurrency_per_token,
      queue: limits.concurrency_per_token * WAITING_PER_RUNNING,
      waitMs: tools.read_timeout * 1000,
    }),
    deadline({ readTimeoutMs: tools.read_timeout * 1000, ownWaitMs }),
    didYouMean(shared.files),
    idleClock(shared.managed),
  ];
}

/** Milliseconds that a call itself asks to wait, added to its deadline. */
function ownWaitMs({ timeout_ms, wait_ms }: Readonly<Record<string, unknown>>): number {
  const wait = timeout_ms ?? wait_ms;
  return typeof wait === "number" ? wait : 0;
}
