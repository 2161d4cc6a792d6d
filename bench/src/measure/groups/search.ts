import { join } from "node:path";
import type { Goal, Row } from "../../report/row.js";
import type { Context, Group } from "../context.js";
import { interleave, type Contender, type Outcome, type Rounds } from "../interleave.js";
import { compare } from "../rows.js";
import { COMMON, copyCheckout, makeGrove, NOWHERE, RARE } from "../search-tree.js";
import { OURS } from "../servers.js";
import { startWorker, type Worker } from "../worker.js";
import { searchTokens } from "./search-tokens.js";

const GROUP = "Searches, in process";
const RG = "bare `rg --json -i`";
const IN_BWRAP = "bare `rg --json -i` in bubblewrap";
const GREP = "bare `grep -rnIPi`";
const WALK = "bare walk";
const GROVE = { full: { folders: 250, filesInEach: 40 }, quick: { folders: 50, filesInEach: 40 } };
const BUDGET_MS = 30_000;

interface Case {
  readonly name: string;
  readonly root: string;
  readonly pattern: string;
  /** By what the workload calls it; the first is what the others are held against. */
  readonly subjects: Readonly<Record<string, string>>;
  readonly goals: Readonly<Record<string, Goal>>;
}

const atMost = (value: number): Goal => ({ of: "ratio", atMost: value });

/** Contents and names, in process; what answers cost, beside the peer that searches. */
export const search: Group = async (context) => {
  const rows: Row[] = [];
  {
    await using worker = startWorker(context.places, "search-in-process");
    for (const one of casesOf(context)) rows.push(...(await measured(worker, one, context)));
  }
  return [...rows, ...(await searchTokens(context))];
};

function casesOf({ places, quick }: Context): readonly Case[] {
  const grove = join(places.files, "grove");
  const checkout = join(places.files, "checkout");
  makeGrove(grove, quick ? GROVE.quick : GROVE.full);
  copyCheckout(join(places.fixtures, "../.."), checkout);
  const big = "10,000 files of 80 MB";
  // The goal is the bare engine's time and what bubblewrap costs.
  const contents = { rgInBubblewrap: IN_BWRAP, rg: RG, content: OURS };
  const byGrep = { grep: GREP, searchByGrep: `${OURS}, grep its engine` };
  const contentOf = (what: string, root: string, pattern: string): Case => ({
    name: what,
    root,
    pattern,
    subjects: contents,
    goals: { [OURS]: atMost(1.25) },
  });
  const grepOf = (what: string, pattern: string): Case => ({
    name: what,
    root: grove,
    pattern,
    subjects: byGrep,
    goals: { [byGrep.searchByGrep]: atMost(1.5) },
  });
  return [
    contentOf(`\`search_content\`, ${big}, a rare literal`, grove, RARE),
    contentOf(`\`search_content\`, ${big}, a regex with 1,250 hits`, grove, COMMON),
    contentOf(`\`search_content\`, ${big}, no hit`, grove, NOWHERE),
    contentOf("`search_content`, this checkout, a rare literal", checkout, "makeGrove"),
    contentOf(
      "`search_content`, this checkout, a regex with > 1,000 hits",
      checkout,
      String.raw`export (?:async )?function \w+`,
    ),
    contentOf("`search_content`, this checkout, no hit", checkout, NOWHERE),
    {
      name: `the first hit, ${big}, a common regex`,
      root: grove,
      pattern: COMMON,
      subjects: { rgFirst: `${RG}, its first match`, firstHit: "te-search" },
      goals: { "te-search": atMost(1.5) },
    },
    grepOf(`contents by grep, ${big}, a rare literal`, RARE),
    grepOf(`contents by grep, ${big}, a regex with 1,250 hits`, COMMON),
    {
      name: `\`search_files\`, ${big}`,
      root: grove,
      pattern: "part-7",
      subjects: { walk: WALK, names: OURS },
      goals: { [OURS]: atMost(2) },
    },
    {
      name: "`search_files`, this checkout",
      root: checkout,
      pattern: "search",
      subjects: { walk: WALK, names: OURS },
      goals: { [OURS]: atMost(2) },
    },
  ];
}

async function measured(worker: Worker, one: Case, { rounds }: Context): Promise<Row[]> {
  const { name, root, pattern, subjects, goals } = one;
  const answers = new Map<string, string>();
  const contenders = Object.entries(subjects).map(([request, subject]): Contender => ({
    subject,
    optional: subject === IN_BWRAP,
    async once() {
      const { ms, first } = await worker.run(request, { root, pattern });
      answers.set(subject, first);
      return ms;
    },
  }));
  const outcomes: ReadonlyMap<string, Outcome> = await interleave(contenders, {
    warmup: rounds(5),
    rounds: rounds(40),
    budgetMs: BUDGET_MS,
  } satisfies Rounds);
  const base = Object.values(subjects).find((subject) => answers.has(subject)) ?? "";
  const wanted = answers.get(base);
  const notes = new Map(
    [...answers].flatMap(([subject, got]) =>
      got === wanted ? [] : [[subject, `wrong: ${got} hits, not ${wanted}`] as const],
    ),
  );
  return compare({ group: GROUP, case: name, unit: "ms", outcomes, base, goals, notes });
}
