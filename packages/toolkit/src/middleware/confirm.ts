import { CancelledError, ConfirmationError, TimeoutError } from "@llmc/errors";
import type { AskPerson, Call, ConfirmAnswer } from "../call/call.js";
import type { Middleware } from "../call/dispatch.js";
import { preview } from "../text/preview.js";

export interface ConfirmOptions {
  /** `auto` asks where the client can; `require` refuses where it cannot. */
  readonly mode: "never" | "auto" | "require";
  readonly timeoutMs: number;
}

/** Asks a person before a destructive tool runs. It stands before `limit`: a wait for a human holds no slot. */
export function confirm({ mode, timeoutMs }: ConfirmOptions): Middleware {
  return (call, next) => {
    const { tool, ask } = call;
    if (mode === "never" || tool === undefined || !tool.annotations.destructiveHint) return next();
    if (ask !== undefined) return asked(answerWithin(call, ask, timeoutMs), tool.name, next);
    if (mode === "auto") return next();
    throw new ConfirmationError(tool.name, "this client cannot ask a person", { id: "confirm-otherwise" });
  };
}

async function asked<T>(answer: Promise<ConfirmAnswer>, tool: string, next: () => Promise<T>): Promise<T> {
  settle(tool, await answer);
  return await next();
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
