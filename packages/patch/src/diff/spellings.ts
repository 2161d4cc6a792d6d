import type { FilePlan, PathPair, Spelling } from "./plan.js";

export interface ChosenPlan {
  readonly plan: FilePlan;
  readonly pair: PathPair;
}

type Read = (path: string) => Promise<Buffer | null>;

/** Of what the names may mean, that for which there is a file; a new file's name is read as the others were. */
export async function chooseReadings(plans: readonly FilePlan[], read: Read): Promise<readonly ChosenPlan[]> {
  let usual: Spelling | undefined;
  const chosen: (PathPair | undefined)[] = [];
  for (const plan of plans) {
    const pair = plan.kind === "create" ? undefined : await existing(plan.paths, read);
    if (plan.paths.length > 1) usual ??= pair?.spelling;
    chosen.push(pair);
  }
  return plans.map((plan, at) => ({ plan, pair: chosen[at] ?? byHabit(plan.paths, usual) }));
}

async function existing(pairs: readonly PathPair[], read: Read): Promise<PathPair | undefined> {
  for (const [at, pair] of pairs.entries()) {
    for (const path of new Set([pair.newPath, pair.oldPath])) {
      if (path !== null && (await readIf(read, path, at === 0)) !== null) return pair;
    }
  }
  return undefined;
}

async function readIf(read: Read, path: string, sure: boolean): Promise<Buffer | null> {
  try {
    return await read(path);
  } catch (thrown) {
    if (sure) throw thrown;
    return null;
  }
}

function byHabit(pairs: readonly PathPair[], usual: Spelling | undefined): PathPair {
  const [first] = pairs;
  const found = pairs.find(({ spelling }) => spelling === usual) ?? first;
  return found ?? { oldPath: null, newPath: null, spelling: "written" };
}
