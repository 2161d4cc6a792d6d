import { createContext, Script, type Context } from "node:vm";
import { InvalidArgumentError } from "@llmc/errors";

/** A text, or /a regular expression/. */
export interface Awaited {
  matches(text: string): boolean;
}

/** An expression can take longer than the age of the world. */
const MATCH_MS = 50;
const REGEX = /^\/(.+)\/([imsu]*)$/s;

export function awaited(pattern: string): Awaited {
  const written = REGEX.exec(pattern);
  return written === null ? { matches: (text) => text.includes(pattern) } : regex(written[1] ?? "", written[2] ?? "");
}

function regex(source: string, flags: string): Awaited {
  const expression = compiled(source, flags);
  const context: Context & { text?: string } = createContext({ expression });
  const script = new Script("expression.test(text)");
  return {
    matches(text) {
      context.text = text;
      try {
        // The only way to end a match that runs away, short of a thread of its own.
        return script.runInContext(context, { timeout: MATCH_MS }) === true;
      } catch (thrown) {
        if ((thrown as NodeJS.ErrnoException).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw thrown;
        throw new InvalidArgumentError(`The expression took more than ${MATCH_MS} ms to match`, {
          id: "simpler-awaited",
          ms: MATCH_MS,
        });
      }
    },
  };
}

function compiled(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, flags);
  } catch (thrown) {
    const problem = (thrown as Error).message;
    throw new InvalidArgumentError(`Not a valid regular expression: ${problem}`, { id: "awaited-as-text", problem });
  }
}
