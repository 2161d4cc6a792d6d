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

/** Keeps names within the client's list: a stand-in for a tool, and no sentence of a hint that names an unlisted one. */
export function createListedNames(
  tools: readonly AnyTool[],
  isListed: (tool: AnyTool) => boolean = () => true,
): ListedNames {
  const dotted = tools.map(({ name }) => name).filter((name) => name.includes("."));
  // The longest first: linux.fs_read is no part of linux.fs_read_all.
  const any = dotted
    .toSorted((a, b) => b.length - a.length)
    .map(escaped)
    .join("|");
  const pattern = new RegExp(`"[^"]*"|\`[^\`]*\`|(?<![\\w./\\\\-])(?:${any})(?![\\w/\\\\-]|\\.\\w)`, "g");
  const known = new Set(dotted);
  const standIns = new Map(
    tools.filter(isListed).flatMap(({ name, standsFor }) => (standsFor === undefined ? [] : [[standsFor.tool, name]])),
  );
  const unlisted = new Set(tools.filter((tool) => !isListed(tool)).flatMap(({ name }) => [name, wireName(name)]));

  function withoutUnlisted(hint: string): string | undefined {
    if (unlisted.size === 0) return hint;
    const names = (sentence: string) => sentence.match(TOOL_NAME) ?? [];
    const named = standIns.size === 0 ? hint : hint.replaceAll(TOOL_NAME, (name) => standIns.get(name) ?? name);
    const kept = named.split(SENTENCES).filter((sentence) => !names(sentence).some((name) => unlisted.has(name)));
    return kept.length === 0 ? undefined : kept.join(" ");
  }

  function inText(text: string, names: Names): string {
    if (names === "dotted" || dotted.length === 0) return text;
    return text.replaceAll(pattern, (found) => (known.has(found) ? wireName(found) : found));
  }

  function inError(error: OpsError, called: string, names: Names): Told {
    const kept = error.hint === undefined ? undefined : withoutUnlisted(error.hint);
    if (names === "dotted" && kept === error.hint) return error;
    const message = known.has(called) && names !== "dotted" ? atStart(error.message, called) : error.message;
    const hint = kept === undefined ? undefined : inText(kept, names);
    if (message === error.message && hint === error.hint) return error;
    return {
      message,
      hint,
      toEnvelope(id) {
        const { hint: _, ...envelope } = error.toEnvelope(id);
        return { ...envelope, message, ...(hint === undefined ? {} : { hint }) };
      },
    };
  }

  return { inText, inError };
}

const SENTENCES = /(?<=[.?!]) (?=[A-Z])/;
/** Matches names with a dot or an underscore, because a tool called `stat` cannot be told from the word. */
const TOOL_NAME = /(?<![\w./"\\-])(?:linux\.\w+|[a-z]+_\w+)(?![\w/(-])/g;

/** How the pipeline's own sentences go on after a tool's name. */
const OURS = /^(?:: | is switched off| was (?:cancelled|not confirmed)| did not finish)/;

function atStart(message: string, name: string): string {
  const rest = message.slice(name.length);
  return message.startsWith(name) && OURS.test(rest) ? wireName(name) + rest : message;
}

function escaped(name: string): string {
  return name.replaceAll(".", "\\.");
}
