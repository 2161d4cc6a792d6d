import type { ChosenPlan } from "./spellings.js";

type Read = (path: string) => Promise<Buffer | null>;

/**
 * The parts in their order, but as git means it, for which all of them start from the same tree: what makes room at a path
 * comes before what needs the room, and a copy before what changes the file that it is made of.
 */
export async function inOrder(
  chosen: readonly ChosenPlan[],
  keyOf: (path: string) => string,
  read: Read,
): Promise<readonly ChosenPlan[]> {
  const leaving = indexBy(chosen, ({ plan, pair }) => (leaves(plan.kind) ? pair.oldPath : null), keyOf);
  const copied = indexBy(chosen, ({ plan, pair }) => (plan.kind === "copy" ? pair.oldPath : null), keyOf);
  const ordered: ChosenPlan[] = [];
  const done = new Set<number>();

  async function visit(at: number): Promise<void> {
    const one = chosen[at];
    // Ends a circle, too: there the first finds its place taken.
    if (one === undefined || done.has(at)) return;
    done.add(at);
    for (const other of await before(one, at)) await visit(other);
    ordered.push(one);
  }

  async function before({ plan, pair }: ChosenPlan, at: number): Promise<readonly number[]> {
    const copies = plan.kind === "create" || plan.kind === "copy" ? [] : (copied.get(keyOf(pair.oldPath ?? "")) ?? []);
    if (!needsRoom(plan.kind) || pair.newPath === null) return copies;
    const later = (leaving.get(keyOf(pair.newPath)) ?? []).filter((other) => other > at);
    const isTaken = later.length > 0 && (await read(pair.newPath)) !== null;
    return isTaken ? [...copies, ...later] : copies;
  }

  for (const at of chosen.keys()) await visit(at);
  return ordered;
}

function indexBy(
  chosen: readonly ChosenPlan[],
  pathOf: (one: ChosenPlan) => string | null,
  keyOf: (path: string) => string,
): ReadonlyMap<string, readonly number[]> {
  const index = new Map<string, number[]>();
  for (const [at, one] of chosen.entries()) {
    const path = pathOf(one);
    if (path === null) continue;
    const known = index.get(keyOf(path));
    if (known === undefined) index.set(keyOf(path), [at]);
    else known.push(at);
  }
  return index;
}

function leaves(kind: ChosenPlan["plan"]["kind"]): boolean {
  return kind === "rename" || kind === "delete";
}

function needsRoom(kind: ChosenPlan["plan"]["kind"]): boolean {
  return kind === "create" || kind === "rename" || kind === "copy";
}
