import { ConfirmationError } from "@llmc/errors";
import type { AskPerson } from "@llmc/toolkit";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { RequestId } from "@modelcontextprotocol/sdk/types.js";

// The confirm layer decides how long a person may think; the SDK's own minute must not.
const NO_TIMEOUT_MS = 2 ** 31 - 1;

/** A question without fields: accept, decline or cancel is the whole answer. Undefined where the client cannot ask. */
export function askThrough(server: Server, relatedRequestId: RequestId): AskPerson | undefined {
  if (server.getClientCapabilities()?.elicitation?.form === undefined) return undefined;

  return async ({ tool, message }, signal) => {
    // The SDK sends a cancellation whenever its signal aborts, even after the answer: it gets one that ends with it.
    const waiting = new AbortController();
    const onAbort = () => waiting.abort(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      const answer = await server.elicitInput(
        { message, requestedSchema: { type: "object", properties: {} } },
        { relatedRequestId, signal: waiting.signal, timeout: NO_TIMEOUT_MS },
      );
      return answer.action;
    } catch (thrown) {
      signal.throwIfAborted();
      const problem = thrown instanceof Error ? thrown.message : String(thrown);
      throw new ConfirmationError(tool, `the client failed to ask (${problem.slice(0, 200)})`);
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  };
}
