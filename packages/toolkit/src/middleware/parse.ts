import { InvalidArgumentError } from "@llmc/errors";
import type { Middleware } from "../dispatch.js";
import { explainIssues } from "../explain.js";

/** Turns what came over the wire into the tool's own type; a wrong argument is named with what is allowed. */
export function parseArguments(): Middleware {
  return (call, next) => {
    const { tool } = call;
    if (tool === undefined) return next();
    const parsed = tool.input.safeParse(call.rawArgs, { reportInput: true });
    if (!parsed.success) throw new InvalidArgumentError(...explainIssues(tool, parsed.error.issues));
    call.args = parsed.data;
    return next();
  };
}
