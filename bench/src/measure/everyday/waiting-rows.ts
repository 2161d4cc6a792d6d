import { join } from "node:path";
import { rowOf, type Goal, type Row, type Unit } from "../../report/row.js";
import type { Context } from "../context.js";
import { COMMANDER, OURS, serversOf, type Server } from "../servers.js";
import { openProject } from "./project.js";
import { askRepl, followBuild, OUR_HAND, THEIR_HAND, type Build, type Followed, type Hand } from "./waiting.js";

const GROUP = "Waiting for slow programs";
const BUILD_S = 80;
const QUESTIONS = 200;
/** REPLs at once; more than these are too many for a session of LinuxOps. */
const REPLS = 4;
const REPLS_MS = 90_000;
/** Longest call allowed, because clients drop a call after a minute. */
const LONGEST_MS = 50_000;
const WAIT_MS = 45_000;

interface Waited {
  readonly followed: Followed | Error;
  readonly right: number | Error;
}

/** Follows a long build to its end, and sends slow lines to REPLs. */
export async function waiting({ places, quick, rounds }: Context): Promise<Row[]> {
  const scale = quick ? 0.1 : 1;
  const count = rounds(QUESTIONS);
  const folder = join(places.files, "waiting", "shop");
  await using _project = await openProject(folder);
  // Seconds after which a command without a time-out is handed over.
  const settings = [`mcp.tools.exec_timeout=${30 * scale}`];
  const { ours, commander } = serversOf({ ...places, files: folder, settings });
  const work = { build: { folder, seconds: BUILD_S * scale }, waitMs: WAIT_MS * scale, count };
  const [own, theirs] = await Promise.all([waitedFor(ours, OUR_HAND, work), waitedFor(commander, THEIR_HAND, work)]);
  const build = `a build of ${BUILD_S * scale} s, followed to its end`;
  const calls: Goal = { of: "median", atMost: 3 };
  const longest: Goal = { of: "median", atMost: LONGEST_MS * scale };
  const right: Goal = { of: "median", atLeast: count };
  return [
    ...rows(
      build,
      "calls",
      [own, theirs].map(({ followed }) => figureOf(followed, ({ calls }) => calls)),
      calls,
    ),
    ...rows(
      `${build}: the longest call`,
      "ms",
      [own, theirs].map(({ followed }) => figureOf(followed, ({ longestMs }) => longestMs)),
      longest,
    ),
    ...rows(`${count} slow inputs of a Python REPL: right`, "answers", [own.right, theirs.right], right),
  ];
}

interface Work {
  readonly build: Build;
  readonly waitMs: number;
  readonly count: number;
}

async function waitedFor({ start }: Server, hand: Hand, { build, waitMs, count }: Work): Promise<Waited> {
  const followed = async (): Promise<Followed> => {
    const server = await start();
    try {
      return await followBuild(server, hand, build, waitMs);
    } finally {
      await server.end();
    }
  };
  const right = async (): Promise<number> => {
    const server = await start();
    const until = performance.now() + REPLS_MS;
    const nths = Array.from({ length: count }, (_, nth) => nth);
    const shares = Array.from({ length: REPLS }, (_, share) => nths.filter((nth) => nth % REPLS === share));
    try {
      const counts = await Promise.all(shares.map((share) => askRepl(server, hand, share, until)));
      return counts.reduce((sum, each) => sum + each, 0);
    } finally {
      await server.end();
    }
  };
  const failed = (thrown: unknown): Error => thrown as Error;
  const [end, answers] = await Promise.all([followed().catch(failed), right().catch(failed)]);
  return { followed: end, right: answers };
}

function figureOf(followed: Followed | Error, pick: (followed: Followed) => number): number | Error {
  return followed instanceof Error ? followed : pick(followed);
}

function rows(name: string, unit: Unit, figures: readonly (number | Error | undefined)[], goal: Goal): Row[] {
  return [OURS, COMMANDER].map((subject, nth) => {
    const figure = figures[nth];
    const isNumber = typeof figure === "number";
    return rowOf({
      group: GROUP,
      case: name,
      subject,
      unit,
      samples: isNumber ? [figure] : [],
      missing: isNumber ? undefined : figure?.message,
      goal: subject === OURS ? goal : undefined,
    });
  });
}
