import type { Status } from "./requirements.js";

export interface CheckInput {
  readonly requirements: Readonly<Record<string, readonly [text: string, status: Status]>>;
  readonly counts: Readonly<Record<string, number>>;
  readonly topics: readonly string[];
  /** Full names of the passing and of the other tests of this run. */
  readonly passed: readonly string[];
  readonly others: readonly string[];
}

export interface CheckResult {
  readonly problems: readonly string[];
  /** What nobody proves yet, with the topic it waits for. */
  readonly rest: readonly string[];
  readonly covered: readonly string[];
}

const CITED = /\b00[0-4]-[A-Za-z0-9]+(?:[.-][A-Za-z0-9]+)*/g;

/** Covered is computed: a passing test of this run cites the id in its name. */
export function checkRequirements({ requirements, counts, topics, passed, others }: CheckInput): CheckResult {
  const cited = new Set(passed.flatMap(idsIn));
  const problems = [...new Set([...passed, ...others].flatMap(idsIn))]
    .filter((id) => !Object.hasOwn(requirements, id))
    .map((id) => `a test cites ${id}, which requirements.ts does not list`);
  const rest: string[] = [];
  for (const [id, [text, status]] of Object.entries(requirements)) {
    const [state, topic = ""] = status.split(": ", 2);
    if (state === "open" && !topics.includes(topic))
      problems.push(`${id} is open for "${topic}", no topic of open-topics.json`);
    if (state === "open" && cited.has(id))
      problems.push(`${id} is marked open, but a passing test proves it: make it "asked"`);
    if (state === "asked" && !cited.has(id))
      problems.push(`${id} (${text}) is asked for, and no passing test cites it`);
    if (state !== "asked") rest.push(`${id} ${status} (${text})`);
  }
  return { problems: [...problems, ...miscounted(requirements, counts)], rest, covered: [...cited].toSorted() };
}

function miscounted(requirements: CheckInput["requirements"], counts: CheckInput["counts"]): string[] {
  const ids = Object.keys(requirements);
  return Object.entries(counts).flatMap(([seed, pinned]) => {
    const listed = ids.filter((id) => id.startsWith(`${seed}-`)).length;
    return listed === pinned ? [] : [`seed ${seed} has ${pinned} requirements, ${listed} are listed`];
  });
}

function idsIn(name: string): string[] {
  return name.match(CITED) ?? [];
}
