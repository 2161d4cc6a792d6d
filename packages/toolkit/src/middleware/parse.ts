import { InvalidArgumentError } from "@llmc/errors";
import type { Middleware } from "../call/dispatch.js";
import { explainIssues } from "../input/explain.js";
import { NO_ALIASES, type Aliases } from "../input/aliases.js";
import { flatIssues } from "../input/issues.js";
import { coerced } from "../input/coerce.js";

/** A list that came as JSON may hold numbers that came as text: each round looks one level deeper. */
const ROUNDS = 3;

/** Turns what came over the wire into the tool's own type; a wrong argument is named with what is allowed. */
export function parseArguments(aliases: Aliases = NO_ALIASES): Middleware {
  return (call, next) => {
    const { tool } = call;
    if (tool === undefined) return next();
    let args = call.rawArgs;
    for (let round = 0; ; round += 1) {
      const parsed = tool.input.safeParse(args, { reportInput: true });
      if (parsed.success) {
        call.args = parsed.data;
        return next();
      }
      const issues = flatIssues(parsed.error.issues);
      const better = round < ROUNDS ? coerced(tool, args, issues) : undefined;
      if (better === undefined) throw new InvalidArgumentError(...explainIssues(tool, args, { issues, aliases }));
      args = better;
    }
  };
}
