import type { ChosenPlan } from "./spellings.js";

/** The parts in their order, but what makes room at a path before what needs the room, as git means it. */
export async function inOrder(
  chosen: readonly ChosenPlan[],
  keyOf: (path: string) => string,
  read: (path: string) => Promise<Buffer | null>,
): Promise<readonly ChosenPlan[]> {
  const leaving = new Map(
    chosen.flatMap((one, at) => (leaves(one) ? [[keyOf(one.pair.oldPath ?? ""), at] as const] : [])),
  );
  const ordered: ChosenPlan[] = [];
  const done = new Set<number>();
  const visit = async (at: number): Promise<void> => {
    const one = chosen[at];
    // Ends a circle, too: there the first finds its place taken.
    if (one === undefined || done.has(at)) return;
    done.add(at);
    const path = needs(one);
    const other = path === null ? undefined : leaving.get(keyOf(path));
    if (path !== null && other !== undefined && other > at && (await read(path)) !== null) await visit(other);
    ordered.push(one);
  };
  for (const at of chosen.keys()) await visit(at);
  return ordered;
}

function leaves({ plan, pair }: ChosenPlan): boolean {
  return (plan.kind === "rename" || plan.kind === "delete") && pair.oldPath !== null;
}

/** The path that must be free. */
function needs({ plan, pair }: ChosenPlan): string | null {
  return plan.kind === "create" || plan.kind === "rename" || plan.kind === "copy" ? pair.newPath : null;
}
