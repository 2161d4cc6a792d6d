import type { Changes } from "./changes.js";
import { terminators, withTerminator } from "./lines.js";

/** Every place gets the same text. */
export function replaceAt(starts: readonly number[], wanted: string, text: string): Changes {
  return { froms: starts, tos: starts.map((at) => at + wanted.length), texts: starts.map(() => text) };
}

/** Every place gets the text with the line endings that the file has there. */
export function replaceFitting(units: string, starts: readonly number[], wanted: string, text: string): Changes {
  const terminatorAt = terminators(units);
  const forms = new Map([
    ["\n", withTerminator(text, "\n")],
    ["\r\n", withTerminator(text, "\r\n")],
  ]);
  const texts = starts.map((at) => forms.get(terminatorAt(at) ?? "") ?? text);
  return { ...replaceAt(starts, wanted, text), texts };
}
