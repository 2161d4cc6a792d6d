import { setTimeout as delay } from "node:timers/promises";
import { join } from "node:path";
import { rowOf, type Row } from "../../report/row.js";
import type { Context } from "../context.js";
import type { McpServer } from "../mcp-server.js";
import { COMMANDER, OURS, type Server } from "../servers.js";

type Ask = (server: McpServer, root: string) => Promise<string>;

interface Question {
  readonly name: string;
  readonly ours: object;
  readonly commander: object;
  /** What the answer has to hold. */
  readonly holds: string;
}

const contentOf = (name: string, pattern: string, holds: string): Question => ({
  name: `${name}: \`${pattern}\``,
  ours: { tool: "linux_search_content", pattern },
  commander: { searchType: "content", pattern, ignoreCase: true },
  holds,
});

const QUESTIONS: readonly Question[] = [
  contentOf("where it is defined", "createLinuxOps", "export function createLinuxOps"),
  contentOf("who uses it", "openFiles", "openFiles("),
  contentOf("a common word", "signal", "signal"),
  {
    name: "files by a part of their name: `search`",
    ours: { tool: "linux_search_files", pattern: "search" },
    commander: { searchType: "files", pattern: "search" },
    holds: "search",
  },
];

interface Counted {
  readonly tokens: number;
  readonly note: string | undefined;
}

const POLL_MS = 20;

/** What a model reads for the same questions about the same checkout. */
export async function searchTokens({ servers, places }: Context): Promise<Row[]> {
  const root = join(places.files, "checkout");
  const ours = await answersOf(servers.ours, askOurs, root);
  const commander = await answersOf(servers.commander, askCommander, root);
  return QUESTIONS.flatMap(({ name }, nth) => {
    const own = ours instanceof Error ? null : (ours[nth] ?? null);
    const theirs = commander instanceof Error ? null : (commander[nth] ?? null);
    const row = (subject: string, answer: Counted | null, missing: Error | undefined): Row =>
      rowOf({
        group: "Tokens of answers to searches of this checkout",
        case: name,
        subject,
        unit: "tokens",
        samples: answer === null ? [] : [answer.tokens],
        note: answer?.note,
        missing: missing?.message,
        against: subject === OURS ? undefined : { name: OURS, median: own?.tokens ?? null },
      });
    return [
      row(OURS, own, ours instanceof Error ? ours : undefined),
      row(COMMANDER, theirs, commander instanceof Error ? commander : undefined),
    ];
  });
}

async function answersOf(
  { start, optional }: Server,
  ask: (question: Question) => Ask,
  root: string,
): Promise<Counted[] | Error> {
  const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base");
  let server: McpServer;
  try {
    server = await start();
  } catch (thrown) {
    if (!optional) throw thrown;
    return thrown as Error;
  }
  try {
    const counts: Counted[] = [];
    for (const question of QUESTIONS) {
      const text = await ask(question)(server, root);
      const note = text.includes(question.holds) ? undefined : `its first answer does not hold \`${question.holds}\``;
      counts.push({ tokens: countTokens(text), note });
    }
    return counts;
  } finally {
    await server.end();
  }
}

function askOurs({ ours }: Question): Ask {
  const { tool, ...args } = ours as { tool: string };
  return (server, root) => server.call(tool, { root, ...args });
}

/** It answers at once with what it has, and is asked for the rest until there is none: the last two are what is read. */
function askCommander({ commander }: Question): Ask {
  return async (server, path) => {
    const begun = await server.call("start_search", { path, ...commander });
    const [, sessionId] = /session[^:]*: *([\w-]+)/i.exec(begun) ?? [];
    for (;;) {
      const text = await server.call("get_more_search_results", { sessionId });
      if (!/^Status: RUNNING$/m.test(text)) return `${begun}\n${text}`;
      await delay(POLL_MS);
    }
  };
}
