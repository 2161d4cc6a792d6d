import { CancelledError, ConfirmationError, TimeoutError } from "@llmc/errors";
import type { AskPerson, Call, ConfirmAnswer } from "../call.js";
import type { Middleware } from "../dispatch.js";
import { preview } from "../preview.js";

export interface ConfirmOptions {
  /** `auto` asks where the client can; `require` refuses where it cannot. */
  readonly mode: "never" | "auto" | "require";
  readonly timeoutMs: number;
}

/** Asks a person before a destructive tool runs. It stands before `limit`: a wait for a human holds no slot. */
export function confirm({ mode, timeoutMs }: ConfirmOptions): Middleware {
  return async (call, next) => {
    if (mode === "never" || call.tool === undefined || !call.tool.annotations.destructiveHint) return next();
    if (call.ask === undefined) {
      if (mode === "auto") return next();
      throw new ConfirmationError(
        call.tool.name,
        "this client cannot ask a person",
        'The operator can set mcp.tools.confirm to "auto" or "never", or use a client with elicitation.',
      );
    }
    settle(call.tool.name, await answerWithin(call, call.ask, timeoutMs));
    return next();
  };
}

function settle(tool: string, answer: ConfirmAnswer): void {
  if (answer === "decline") throw new ConfirmationError(tool, "the person declined", "Do not repeat the call unasked.");
  if (answer === "cancel") throw new CancelledError(tool);
}

function answerWithin(call: Call, ask: AskPerson, timeoutMs: number): Promise<ConfirmAnswer> {
  const name = call.tool?.name ?? call.name;
  const waiting = new AbortController();
  const ended = new Promise<never>((_, reject) => {
    const end = (reason: Error) => {
      reject(reason);
      waiting.abort(reason);
    };
    const timer = setTimeout(() => end(new TimeoutError(`The confirmation of ${name}`, timeoutMs / 1000)), timeoutMs);
    const onAbort = () => end(new CancelledError(name));
    call.signal.addEventListener("abort", onAbort, { once: true });
    waiting.signal.addEventListener("abort", () => {
      clearTimeout(timer);
      call.signal.removeEventListener("abort", onAbort);
    });
    if (call.signal.aborted) onAbort();
  });
  const message = `Allow ${name} ${preview(call.rawArgs, 500)}?`;
  return Promise.race([ask({ tool: name, message }, waiting.signal), ended]).finally(() => waiting.abort());
}
