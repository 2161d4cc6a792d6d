import type { OpsError } from "@llmc/errors";
import { wireName, type AnyTool } from "@llmc/toolkit";

export type Names = "underscore" | "dotted";

/** What an answer takes of an error. */
export type Told = Pick<OpsError, "message" | "hint" | "toEnvelope">;

/** Tools are told of by the name under which the client lists them: a model copies what it reads. */
export interface ListedNames {
  /** In a sentence of ours. What stands in quotes, in backquotes or in a path is somebody else's. */
  inText(text: string, names: Names): string;
  /** `called` is the tool whose error it is: a message names no other, the rest of it is the caller's paths and text. */
  inError(error: OpsError, called: string, names: Names): Told;
}

export function createListedNames(tools: readonly AnyTool[]): ListedNames {
  const dotted = tools.map(({ name }) => name).filter((name) => name.includes("."));
  // The longest first: linux.fs_read is no part of linux.fs_read_all.
  const any = dotted
    .toSorted((a, b) => b.length - a.length)
    .map(escaped)
    .join("|");
  const pattern = new RegExp(`"[^"]*"|\`[^\`]*\`|(?<![\\w./\\\\-])(?:${any})(?![\\w/\\\\-]|\\.\\w)`, "g");
  const known = new Set(dotted);

  function inText(text: string, names: Names): string {
    if (names === "dotted" || dotted.length === 0) return text;
    return text.replaceAll(pattern, (found) => (known.has(found) ? wireName(found) : found));
  }

  function inError(error: OpsError, called: string, names: Names): Told {
    if (names === "dotted") return error;
    const message = known.has(called) ? atStart(error.message, called) : error.message;
    const hint = error.hint === undefined ? undefined : inText(error.hint, names);
    if (message === error.message && hint === error.hint) return error;
    const changed = { message, ...(hint === undefined ? {} : { hint }) };
    return { message, hint, toEnvelope: (id) => ({ ...error.toEnvelope(id), ...changed }) };
  }

  return { inText, inError };
}

/** How the pipeline's own sentences go on after a tool's name. */
const OURS = /^(?:: | is switched off| was (?:cancelled|not confirmed)| did not finish)/;

function atStart(message: string, name: string): string {
  const rest = message.slice(name.length);
  return message.startsWith(name) && OURS.test(rest) ? wireName(name) + rest : message;
}

function escaped(name: string): string {
  return name.replaceAll(".", "\\.");
}
