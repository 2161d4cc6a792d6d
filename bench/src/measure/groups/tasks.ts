import { join } from "node:path";
import type { Context, Group } from "../context.js";
import { attempts, cheapest, type Cost } from "../everyday/attempt.js";
import { openProject } from "../everyday/project.js";
import { developerTasks } from "../everyday/developer.js";
import { developerRows, everydayRows, type Costs } from "../everyday/rows.js";
import { waysOf, type Dialect, type Task } from "../everyday/task.js";
import { EVERYDAY } from "../everyday/tasks.js";
import { waiting } from "../everyday/waiting-rows.js";
import { listingOf } from "../listing.js";
import { serversOf, type Server } from "../servers.js";

/** Outputs of real tools, seen from the fixtures. */
const RECORDED = "../../packages/envelope/test/golden";

/**
 * Measures tokens of everyday work, and waits for slow programs. Both run at once, because load hardly changes their
 * figures.
 */
export const tasks: Group = async (context) => {
  const [waited, ours, dc, fs] = await Promise.all([
    waiting(context),
    costsOf(context, "ours", EVERYDAY),
    costsOf(context, "dc", EVERYDAY),
    costsOf(context, "fs", EVERYDAY),
  ]);
  const { tasks: recorded, programs } = developerTasks(join(context.places.fixtures, RECORDED));
  const developer = {
    ours: await costsOf(context, "ours", recorded, programs),
    dc: await costsOf(context, "dc", recorded, programs),
  };
  return [...everydayRows(EVERYDAY, { ours, dc, fs }), ...developerRows(recorded, developer), ...waited];
};

async function costsOf(
  { places }: Context,
  dialect: Dialect,
  list: readonly Task[],
  more?: ReadonlyMap<string, string>,
): Promise<Costs> {
  // Imports the encoder late, because its 70 MB would slow down earlier spawns.
  const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base");
  const folder = join(places.files, dialect, more === undefined ? "shop" : "developer");
  await using project = await openProject(folder, more);
  const { ours, commander, filesystem } = serversOf({ ...places, files: folder });
  const { start } = { ours, dc: commander, fs: filesystem }[dialect];
  const means = { start, project, countTokens, talks: join(places.build, "talks", dialect) };
  const byAny = new Map<Task, Cost | Error>();
  const byRule = new Map<Task, Cost | Error>();
  for (const task of list) {
    const outcomes = await attempts(task, waysOf(task, dialect), means);
    const byTools = outcomes.slice(0, task[dialect]?.length ?? 0);
    byRule.set(task, cheapest(task.kind === "write" ? byTools : outcomes));
    byAny.set(task, cheapest(outcomes));
  }
  return { cheapest: byRule, byAny, listing: await listingTokens(start, countTokens) };
}

async function listingTokens(start: Server["start"], countTokens: (text: string) => number): Promise<Cost | Error> {
  const server = await start().catch((thrown: unknown) => thrown as Error);
  if (server instanceof Error) return server;
  try {
    const { seen, instructions } = await listingOf(server, countTokens);
    return { tokens: seen.reduce((sum, tokens) => sum + tokens, instructions), calls: 0 };
  } finally {
    await server.end();
  }
}
