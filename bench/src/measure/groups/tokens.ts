import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { rowOf, type Goal, type Row, type Unit } from "../../report/row.js";
import type { Group } from "../context.js";
import { listingOf, type Listing } from "../listing.js";
import type { McpServer } from "../mcp-server.js";
import { COMMANDER, FILESYSTEM, OURS, type Server } from "../servers.js";
import { changeThree } from "../tasks/change-three.js";
import { listFolder } from "../tasks/list-folder.js";
import { repairEdit } from "../tasks/repair-edit.js";
import { tokensOf, type Dialect, type Task } from "../tasks/task.js";

const unit: Unit = "tokens";
const TASKS: readonly Task[] = [listFolder, repairEdit, changeThree];

interface Counts extends Listing {
  /** What was asked and answered in each task. */
  readonly tasks: readonly number[];
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** What a model pays before it has asked for anything, and for what it then asks. */
export const tokens: Group = async ({ servers, places }) => {
  const counted = new Map<string, Counts | Error>();
  for (const dialect of ["ours", "filesystem", "commander"] as const) {
    const server = servers[dialect];
    counted.set(server.subject, await count(server, dialect, join(places.files, "task")));
  }
  const rowsOf = (name: string, pick: (counts: Counts) => number, { goal, base = OURS }: Comparing = {}): Row[] => {
    const held = counted.get(base);
    const against = { name: base, median: held === undefined || held instanceof Error ? null : pick(held) };
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
        against: subject === base ? undefined : against,
        goal: subject === OURS ? goal : undefined,
      });
    });
  };
  return [
    ...rowsOf("`tools/list` as a model sees it", ({ seen }) => sum(seen), { goal: { of: "median", atMost: 2_000 } }),
    ...rowsOf("its largest tool", ({ seen }) => Math.max(...seen), { goal: { of: "median", atMost: 170 } }),
    ...rowsOf("instructions", ({ instructions }) => instructions, { goal: { of: "median", atMost: 90 } }),
    ...rowsOf("`tools/list` on the wire", ({ wire }) => wire),
    ...TASKS.flatMap(({ name }, index) => rowsOf(`task: ${name}`, ({ tasks }) => tasks[index] as number)),
    ...rowsOf(
      "these tasks, the list of tools and the instructions",
      ({ seen, instructions, tasks }) => sum(seen) + instructions + sum(tasks),
      { goal: { of: "ratio", atMost: 0.35 }, base: COMMANDER },
    ),
  ];
};

interface Comparing {
  readonly goal?: Goal;
  readonly base?: string;
}

async function count({ optional, start }: Server, dialect: Dialect, folder: string): Promise<Counts | Error> {
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
    const tasks: number[] = [];
    for (const task of TASKS) {
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder);
      tasks.push(await tokensOf(task, { server, dialect, folder }, countTokens));
    }
    return { ...(await listingOf(server, countTokens)), tasks };
  } finally {
    await server.end();
  }
}
