import { join } from "node:path";
import type { Goal, Row } from "../../report/row.js";
import type { Context } from "../context.js";
import { interleave, type Contender, type Rounds } from "../interleave.js";
import { compare } from "../rows.js";
import { OURS } from "../servers.js";
import { entriesOf, makeCrowd, makeTree } from "../trees.js";
import { startWorker, type Worker } from "../worker.js";

const GROUP = "Lists and changes of files, in process";
const UNDO_ON = `${OURS}, undo on`;
const UNDO_OFF = `${OURS}, undo off`;

const DURABLE_WRITE = "bare durable write";
const READ_AND_WRITE = "bare read, durable write";

const TEN_THOUSAND = { folders: 100, filesInEach: 99, linked: true };
const CROWD = { full: 100_000, quick: 10_000 };
/** A slow disk, or one that others keep busy, must not take all day. */
const BUDGET_MS = 15_000;

interface Case {
  readonly name: string;
  readonly request: string;
  /** Who does it, by what the workload calls him; the first is what the others are held against. */
  readonly subjects: Readonly<Record<string, string>>;
  readonly goals?: Readonly<Record<string, Goal>>;
  readonly path?: string;
  /** What the workload has to answer. */
  readonly answer?: string;
  readonly rounds: Rounds;
}

const atMost = (value: number): Goal => ({ of: "ratio", atMost: value });

export async function filesInProcess(context: Context): Promise<readonly Row[]> {
  await using worker = startWorker(context.places, "files-in-process");
  const rows: Row[] = [];
  for (const one of casesOf(context)) rows.push(...(await measured(worker, one)));
  return rows;
}

function casesOf({ places, rounds, quick }: Context): readonly Case[] {
  const tree = join(places.files, "ten-thousand");
  const crowd = join(places.files, "crowd");
  const crowded = quick ? CROWD.quick : CROWD.full;
  makeTree(tree, TEN_THOUSAND);
  makeCrowd(crowd, crowded);
  const some = (full: number): Rounds => ({ warmup: rounds(full / 5), rounds: rounds(full), budgetMs: BUDGET_MS });
  const walking = { bare: "`readdirSync` and `lstatSync`", undoOn: OURS };
  const writing = { bare: DURABLE_WRITE, undoOff: UNDO_OFF, undoOn: UNDO_ON };
  const rewriting = { bare: READ_AND_WRITE, undoOff: UNDO_OFF, undoOn: UNDO_ON };
  const moving = { bare: "`renameSync`", undoOff: UNDO_OFF, undoOn: UNDO_ON };
  return [
    {
      name: "`fs_list` of 10,000 entries in 100 folders",
      request: "list",
      subjects: walking,
      goals: { [OURS]: atMost(3.5) },
      path: tree,
      answer: String(entriesOf(TEN_THOUSAND)),
      rounds: some(60),
    },
    {
      name: `\`fs_list\` of ${crowded.toLocaleString("en-US")} entries in one folder`,
      request: "list",
      subjects: walking,
      path: crowd,
      answer: String(crowded),
      rounds: { ...some(5), warmup: 1 },
    },
    {
      name: "`fs_write` of 10 KB over 10 KB",
      request: "write",
      subjects: writing,
      goals: { [UNDO_OFF]: atMost(1.5), [UNDO_ON]: atMost(3) },
      rounds: some(1000),
    },
    {
      name: "`fs_patch_block` in 2 MB",
      request: "patch",
      subjects: rewriting,
      goals: { [UNDO_ON]: atMost(3) },
      rounds: some(200),
    },
    { name: "`fs_apply_diff` of 10 hunks to 2 MB", request: "diff", subjects: rewriting, rounds: some(60) },
    {
      name: "`fs_delete` of 1,000 files in 25 folders",
      request: "remove",
      subjects: { bare: "`rmSync`", renaming: "`renameSync`", undoOff: UNDO_OFF, undoOn: UNDO_ON },
      // Two of them need a new tree each time.
      rounds: { ...some(10), warmup: 1 },
    },
    {
      name: "`fs_undo` of that",
      request: "takeBack",
      subjects: { renaming: "`renameSync`", undoOn: OURS },
      rounds: some(30),
    },
    { name: "`fs_move` of a file", request: "moveFile", subjects: moving, rounds: some(100) },
    { name: "`fs_move` of 1,000 files in 25 folders", request: "moveTree", subjects: moving, rounds: some(30) },
  ];
}

async function measured(worker: Worker, { name, request, subjects, goals, path, answer, rounds }: Case) {
  const contenders = Object.entries(subjects).map(([by, subject]): Contender => ({
    subject,
    async once() {
      const { ms, first } = await worker.run(request, { by, path });
      if (answer !== undefined && first !== answer) throw new Error(`${name}, ${subject}: ${first} were told of`);
      return ms;
    },
  }));
  const outcomes = await interleave(contenders, rounds);
  const [base] = Object.values(subjects);
  return compare({ group: GROUP, case: name, unit: "ms", outcomes, base: base as string, goals: goals ?? {} });
}
