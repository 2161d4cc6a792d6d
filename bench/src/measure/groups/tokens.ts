import { rowOf, type Goal, type Row, type Unit } from "../../report/row.js";
import type { Group } from "../context.js";
import type { McpServer } from "../mcp-server.js";
import { COMMANDER, FILESYSTEM, OURS, type Server } from "../servers.js";

const unit: Unit = "tokens";

interface Listed {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: object;
}

interface Counts {
  /** Name, description and input schema of each tool: what a model's context pays for in every session. */
  readonly seen: readonly number[];
  readonly wire: number;
  readonly instructions: number;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** What a model pays before it has asked for anything. */
export const tokens: Group = async ({ servers }) => {
  const counted = new Map<string, Counts | Error>();
  for (const server of [servers.ours, servers.filesystem, servers.commander]) {
    counted.set(server.subject, await count(server));
  }
  const rowsOf = (name: string, pick: (counts: Counts) => number, goal?: Goal): Row[] => {
    const ours = counted.get(OURS);
    const against = { name: OURS, median: ours === undefined || ours instanceof Error ? null : pick(ours) };
    return [OURS, FILESYSTEM, COMMANDER].map((subject) => {
      const counts = counted.get(subject);
      const [samples, missing] = counts instanceof Error ? [[], counts.message] : [counts ? [pick(counts)] : []];
      return rowOf({
        group: "Tokens",
        case: name,
        subject,
        unit,
        samples,
        missing,
        against: subject === OURS ? undefined : against,
        goal: subject === OURS ? goal : undefined,
      });
    });
  };
  return [
    ...rowsOf("`tools/list` as a model sees it", ({ seen }) => sum(seen), { of: "median", atMost: 2_000 }),
    ...rowsOf("its largest tool", ({ seen }) => Math.max(...seen), { of: "median", atMost: 130 }),
    ...rowsOf("instructions", ({ instructions }) => instructions, { of: "median", atMost: 150 }),
    ...rowsOf("`tools/list` on the wire", ({ wire }) => wire),
  ];
};

async function count({ optional, start }: Server): Promise<Counts | Error> {
  // Only here: the encoder takes 70 MB, and each spawn before would pay for them.
  const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base");
  let server: McpServer;
  try {
    server = await start();
  } catch (thrown) {
    if (!optional) throw thrown;
    return thrown as Error;
  }
  try {
    const listing = await server.request("tools/list", {});
    const tools = listing["tools"] as readonly Listed[];
    return {
      seen: tools.map(({ name, description, inputSchema }) =>
        countTokens(JSON.stringify({ name, description, inputSchema })),
      ),
      wire: countTokens(JSON.stringify(listing)),
      instructions: countTokens(server.instructions),
    };
  } finally {
    await server.end();
  }
}
