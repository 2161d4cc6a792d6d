import { rowOf, type Goal, type Row } from "../../report/row.js";
import { COMMANDER, FILESYSTEM, OURS } from "../servers.js";
import type { Cost } from "./attempt.js";
import type { Dialect, Task } from "./task.js";

const GROUP = "Everyday tasks of an agent";
const SUBJECTS: Readonly<Record<Dialect, string>> = { ours: OURS, dc: COMMANDER, fs: FILESYSTEM };

export interface Costs {
  /**
   * Cost of each task in its cheapest way. Writes by a command line are left out, because its answer does not tell the
   * changes.
   */
  readonly cheapest: ReadonlyMap<Task, Cost | Error>;
  /** Cost of each task in its cheapest way, with writes by command lines. */
  readonly byAny: ReadonlyMap<Task, Cost | Error>;
  /** Cost of the list of tools and the instructions. */
  readonly listing: Cost | Error;
}

/**
 * Returns rows for each task, then sums of the tasks that Desktop Commander did. A failed task of LinuxOps leaves no
 * sum.
 */
export function everydayRows(all: readonly Task[], costs: Readonly<Record<Dialect, Costs>>): Row[] {
  const each = all.flatMap((task) =>
    rowsOf(
      `${task.kind}: ${task.name}`,
      {
        ours: costs.ours.cheapest.get(task),
        dc: costs.dc.cheapest.get(task),
        fs: task.fs && costs.fs.cheapest.get(task),
      },
      { of: "ratio", atMost: 1 },
    ),
  );
  const listing = { ours: costs.ours.listing, dc: costs.dc.listing, fs: costs.fs.listing };
  const total = (
    name: string,
    tasks: readonly Task[],
    of: "cheapest" | "byAny",
    goal?: Goal,
    extra: Both = NOTHING,
  ) => {
    const done = tasks.filter((task) => !(costs.dc[of].get(task) instanceof Error));
    // If Desktop Commander did no task, its sums are missing.
    const compared = done.length > 0 ? done : tasks;
    const sums = mapBoth((dialect) => sumOf([...compared.map((task) => costs[dialect][of].get(task)), extra[dialect]]));
    const left = tasks.filter((task) => !compared.includes(task)).map((task) => task.name);
    return rowsOf(name, sums, goal, left.length > 0 ? `without: ${left.join("; ")}` : undefined);
  };
  const small = all.filter(({ kind }) => kind !== "large output");
  const writes = all.filter(({ kind }) => kind === "write");
  return [
    ...each,
    ...total("all without a large output", small, "cheapest", { of: "ratio", atMost: 0.8 }),
    ...total("all writes", writes, "cheapest", { of: "ratio", atMost: 1 }),
    ...total("all", all, "cheapest"),
    ...rowsOf("the list of tools and the instructions", listing),
    ...total("all, the list of tools and the instructions", all, "cheapest", undefined, listing),
    ...total("all without a large output, writes by command lines as well", small, "byAny"),
  ];
}

const DEVELOPER_GROUP = "Commands of a developer";

/** Returns rows for commands with recorded outputs, then their sums. */
export function developerRows(all: readonly Task[], costs: Readonly<Record<"ours" | "dc", Costs>>): Row[] {
  const atMost = (limit: number): Goal => ({ of: "ratio", atMost: limit });
  const sums = mapBoth((dialect) => sumOf(all.map((task) => costs[dialect].cheapest.get(task))));
  const listed = mapBoth((dialect) => sumOf([sums[dialect], costs[dialect].listing]));
  const each = all.flatMap((task) =>
    rowsOf(task.name, { ours: costs.ours.cheapest.get(task), dc: costs.dc.cheapest.get(task) }, atMost(1)),
  );
  return [
    ...each,
    ...rowsOf("all", sums, atMost(0.5)),
    ...rowsOf("all and the list of tools", listed, atMost(0.35)),
  ].map((row) => ({ ...row, group: DEVELOPER_GROUP }));
}

type Both = Readonly<Record<"ours" | "dc", Cost | Error>>;

const NOTHING: Both = mapBoth(() => ({ tokens: 0, calls: 0 }));

function mapBoth(of: (dialect: "ours" | "dc") => Cost | Error): Both {
  return { ours: of("ours"), dc: of("dc") };
}

function sumOf(costs: readonly (Cost | Error | undefined)[]): Cost | Error {
  let [tokens, calls] = [0, 0];
  for (const cost of costs) {
    if (cost === undefined || cost instanceof Error) return cost ?? new Error("it was not run");
    tokens += cost.tokens;
    calls += cost.calls;
  }
  return { tokens, calls };
}

type Found = Readonly<Partial<Record<Dialect, Cost | Error | undefined>>>;

function rowsOf(name: string, found: Found, goal?: Goal, note?: string): Row[] {
  const base = found.dc === undefined || found.dc instanceof Error ? null : found.dc.tokens;
  return (["ours", "dc", "fs"] as const).flatMap((dialect) => {
    const cost = found[dialect];
    if (cost === undefined) return [];
    const isMissing = cost instanceof Error;
    return rowOf({
      group: GROUP,
      case: name,
      subject: isMissing || cost.calls === 0 ? SUBJECTS[dialect] : `${SUBJECTS[dialect]}, ${callsOf(cost)}`,
      unit: "tokens",
      samples: isMissing ? [] : [cost.tokens],
      missing: isMissing ? cost.message : undefined,
      note: dialect === "ours" ? note : undefined,
      against: dialect === "dc" ? undefined : { name: COMMANDER, median: base },
      goal: dialect === "ours" ? goal : undefined,
    });
  });
}

function callsOf({ calls }: Cost): string {
  return calls === 1 ? "1 call" : `${calls} calls`;
}
