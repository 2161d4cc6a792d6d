export interface ClientTraits {
  /** The form of tool names it and the model behind it take. */
  readonly names: "underscore" | "dotted";
  /** Whether the model is shown structuredContent: instead of the text, or beside it. */
  readonly feedsStructured: boolean;
}

const FEEDS: ClientTraits = { names: "underscore", feedsStructured: true };
const TEXT: ClientTraits = { names: "underscore", feedsStructured: false };

/**
 * What is known of clients, by the beginning of `clientInfo.name` in lower case: a bridge such as mcp-remote appends
 * itself. The longest entry that fits counts. Names: a dot makes some withhold the whole server, others send it to a
 * model API that answers 400.
 */
export const CLIENTS: Readonly<Record<string, ClientTraits>> = {
  "ai-sdk": TEXT,
  anthropic: TEXT,
  chatgpt: TEXT,
  claude: TEXT,
  "claude-code": FEEDS,
  cline: TEXT,
  codex: FEEDS,
  copilot: FEEDS,
  cursor: TEXT,
  "github-copilot": FEEDS,
  goose: TEXT,
  jetbrains: FEEDS,
  kilo: TEXT,
  "local-agent-mode": TEXT,
  openai: TEXT,
  opencode: { names: "dotted", feedsStructured: true },
  roo: TEXT,
  "visual studio code": FEEDS,
  windsurf: TEXT,
  zed: TEXT,
};

/** A program with its own label: the seeds' names, and the whole answer in both parts. */
export const UNKNOWN_CLIENT: ClientTraits = { names: "dotted", feedsStructured: false };
