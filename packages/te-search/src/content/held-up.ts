import type { Files } from "@llmc/te-fs";
import type { Bytes } from "../files.js";
import type { Job } from "./job.js";

/** ripgrep opens them wherever it goes. A pipe in the place of one holds it up for ever. */
const RULES: readonly Bytes[] = [".gitignore", ".ignore", ".rgignore"];
const KNOWN: ReadonlySet<Bytes> = new Set(RULES);
/** It has something to say more often; else it is looked for what may hold it up. */
const QUIET_MS = 1000;

type Where = Pick<Job, "ground" | "query" | "signal" | "deadline"> & {
  readonly files: Pick<Files, "lookAtNames" | "walkNames">;
};

export interface Above {
  readonly isRepository: boolean;
  readonly holdsUp: boolean;
}

/** What stands in the ground and above it, as far as the root goes. Without rules it does not matter. */
export async function lookAbove({ files, ground, query, signal }: Where): Promise<Above> {
  if (!query.respectIgnore) return { isRepository: false, holdsUp: false };
  const top = ground.root.real;
  const names = ground.real
    .slice(top.length)
    .split("/")
    .filter((name) => name !== "");
  const folders = ["", ...names.map((_, nth) => `${names.slice(0, nth + 1).join("/")}/`)];
  const wanted = [".git", ...RULES];
  const ways = folders.flatMap((folder) => wanted.map((name) => folder + name));
  const found = await files.lookAtNames({ ...ground, real: top, kind: "folder" }, ways, { signal });
  const isGit = (nth: number): boolean => nth % wanted.length === 0;
  return {
    isRepository: found.some((each, nth) => isGit(nth) && each !== undefined),
    holdsUp: found.some((each, nth) => !isGit(nth) && each?.kind === "other"),
  };
}

export interface QuietWatch {
  /** Aborted when the search is cancelled, or held up. */
  readonly signal: AbortSignal;
  readonly isHeldUp: boolean;
  /** It has said something. */
  heard(): void;
  end(): Promise<void>;
}

/** Looks, when an engine has said nothing for a while, whether there is something that holds it up. */
export function watchQuiet(where: Where): QuietWatch {
  const held = new AbortController();
  let isOver = false;
  let looking: Promise<unknown> = Promise.resolve();
  const timer = setTimeout(() => {
    looking = holdsUpBelow(where, () => isOver).then((does) => {
      if (does && !isOver) held.abort();
    });
    // The search itself will tell of it.
    looking.catch(() => undefined);
  }, QUIET_MS);
  return {
    signal: where.signal === undefined ? held.signal : AbortSignal.any([where.signal, held.signal]),
    get isHeldUp() {
      return held.signal.aborted && where.signal?.aborted !== true;
    },
    heard: () => void timer.refresh(),
    async end() {
      isOver = true;
      clearTimeout(timer);
      await Promise.allSettled([looking]);
    },
  };
}

async function holdsUpBelow(
  { files, ground, query, signal, deadline }: Where,
  isOver: () => boolean,
): Promise<boolean> {
  if (!query.respectIgnore) return false;
  let does = false;
  const walk = { includeHidden: true, respectIgnore: true, deadline, ...(signal === undefined ? {} : { signal }) };
  await files.walkNames(ground, walk, ({ names }) => {
    does ||= names.some(({ name, kind }) => kind === "other" && KNOWN.has(name));
    return does || isOver() ? "stop" : undefined;
  });
  return does;
}
