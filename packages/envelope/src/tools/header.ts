import { headline, type CommandFacts } from "@llmc/commands";

export interface Headed {
  /** undefined for a command that ended well. */
  readonly verdict: string | undefined;
  readonly marker: string | null;
  readonly facts: CommandFacts;
}

/** Facts that need no words in a text: the same for every command, or told elsewhere. */
const QUIET: ReadonlySet<string> = new Set(["sandbox", "network", "held", "duration_ms", "note"]);

/** Puts the verdict, the marker and the notes above an output; nothing if all of it is there and ended well. */
export function withHeader({ verdict, marker, facts }: Headed, text: string): string {
  const told = Object.fromEntries(Object.entries(facts).filter(([name]) => !QUIET.has(name)));
  const { note } = facts;
  const parts = [verdict, marker].filter((part) => part !== undefined && part !== null);
  if (parts.length === 0 && note === undefined && Object.keys(told).length === 0 && text !== "") return text;
  const line = headline(parts.length === 0 ? "exit 0" : parts.join(" · "), { ...told, duration_ms: 0 });
  // A note behind a marker would make the marker longer.
  const noted = note === undefined ? line : marker === null ? `${line.slice(0, -1)} · ${note}]` : `${line} [${note}]`;
  return `${noted}\n${text}`;
}
