import { NAMES, KINDS_OF_ACTS, OWNER, openDesk, perform, type Act } from "../acts.js";

// Changes all kinds of things, and takes some of them back, until it is killed.
const [base = "", session = ""] = process.argv.slice(2);
const desk = openDesk(base);
const me = { ...OWNER, session };
const below = (limit: number): number => Math.floor(Math.random() * limit);
const any = (names: readonly string[]): string => names[below(names.length)] as string;
const TEXTS = ["", "1", "22", "middle ".repeat(4000), "large ".repeat(20_000), "huge ".repeat(300_000)];

await desk.journal.sweep();
process.stdout.write("ready\n");
for (;;) {
  if (below(4) === 0) await desk.journal.undoLast(me).catch(() => {});
  const change = desk.journal.begin({ ...me, kind: "diff", paths: [] });
  for (let left = 1 + below(4); left > 0; left--) {
    const act: Act = { what: below(KINDS_OF_ACTS), on: any(NAMES), to: any(NAMES), text: any(TEXTS) };
    await desk.run(perform(desk, change, act));
  }
  if (below(4) === 0) await desk.run(change.rollBack());
  else await desk.run(change.finish());
}
