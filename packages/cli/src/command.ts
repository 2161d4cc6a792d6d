/** One flag of a command line: what it is called, what it takes, what the help says. */
export interface Flag {
  readonly name: string;
  /** What its value is called in the help; without one the flag is a switch. */
  readonly value?: string;
  readonly repeatable?: true;
  readonly help: string;
}

/** A program as its help describes it. Parsing and help are made from this and nothing else. */
export interface Program {
  readonly name: string;
  readonly version: string;
  readonly summary: string;
  readonly flags: readonly Flag[];
  /** Sub-commands by their words, such as `config`. */
  readonly commands: Readonly<Record<string, string>>;
  readonly examples: readonly string[];
  /** Ways to call it, without its name; those of a server by default. */
  readonly usage?: readonly string[];
  /** Lines below the flags; about the configuration by default. */
  readonly notes?: readonly string[];
}

/** The flags that every server of ours has. */
export const COMMON_FLAGS: readonly Flag[] = [
  { name: "root", value: "DIR", repeatable: true, help: "A folder that tools may use; repeat it for more." },
  { name: "read-only", help: "Only tools that change nothing can be called." },
  { name: "config", value: "FILE", help: "The configuration to load." },
  { name: "set", value: "KEY=VALUE", repeatable: true, help: "Any key, such as mcp.tools.names=dotted." },
  { name: "data-dir", value: "DIR", help: "Where our own state is kept (~/.local/state/llmc)." },
];

export const CLOSING_FLAGS: readonly Flag[] = [
  { name: "help", help: "Show this." },
  { name: "version", help: "Show the version." },
];

export const COMMON_COMMANDS = {
  config: "Print the configuration in effect as TOML: each value's source, and no secrets.",
  "config print": "The same.",
  help: "Show this.",
};
