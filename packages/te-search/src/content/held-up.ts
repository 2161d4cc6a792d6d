import { lookAtNames } from "../walk/look-at-names.js";
import { walkNames } from "../walk/walk-names.js";
import type { Files } from "@llmc/te-fs";
import type { FoundName } from "../walk/found-name.js";
import type { Bytes } from "@llmc/names";
import type { Job } from "./job.js";

/** ripgrep opens them wherever it goes. A pipe in the place of one, or a link to one, holds it up for ever. */
const OF_REPOSITORY = ".git/info/exclude";
const RULES: readonly Bytes[] = [".gitignore", ".ignore", ".rgignore", OF_REPOSITORY];
const KNOWN: ReadonlySet<Bytes> = new Set(RULES);
/** Looked at once a walk has found them. */
const MOST_DOUBTFUL = 10_000;
/** It has something to say more often; else it is looked for what may hold it up. */
const QUIET_MS = 1000;

type Where = Pick<Job, "searchRoot" | "query" | "signal" | "deadline"> & {
  readonly files: Pick<Files, "scope">;
};

/** Returns whether the search root lies in a repository, looking no higher than its root. */
export async function isInRepository({ files, searchRoot, signal }: Job): Promise<boolean> {
  const found = await lookAbove({ files, searchRoot, signal }, [".git"]);
  return found.some((each) => each !== undefined);
}

/** Looks up these names in the search root and in the folders above it, up to its root. */
async function lookAbove(
  { files, searchRoot, signal }: Pick<Where, "files" | "searchRoot" | "signal">,
  wanted: readonly Bytes[],
): Promise<(FoundName | undefined)[]> {
  const top = searchRoot.root.real;
  const names = searchRoot.real
    .slice(top.length)
    .split("/")
    .filter((name) => name !== "");
  const folders = ["", ...names.map((_, nth) => `${names.slice(0, nth + 1).join("/")}/`)];
  const ways = folders.flatMap((folder) => wanted.map((name) => folder + name));
  return await lookAtNames(files.scope, { ...searchRoot, real: top, kind: "folder" }, ways, { signal });
}

export interface QuietWatch {
  /** Aborted when the search is cancelled, or held up. */
  readonly signal: AbortSignal;
  isHeldUp(): boolean;
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
    looking = holdsUp(where, () => isOver).then((does) => {
      if (does && !isOver) held.abort();
    });
    // The search itself will tell of it.
    looking.catch(() => undefined);
  }, QUIET_MS);
  return {
    signal: where.signal === undefined ? held.signal : AbortSignal.any([where.signal, held.signal]),
    isHeldUp() {
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

async function holdsUp({ files, searchRoot, query, signal, deadline }: Where, isOver: () => boolean): Promise<boolean> {
  if (!query.respectIgnore) return false;
  if ((await lookAbove({ files, searchRoot, signal }, RULES)).some(mayHoldUp)) return true;
  let does = false;
  const doubtful: Bytes[] = [];
  const walk = { includeHidden: true, respectIgnore: true, deadline, ...(signal === undefined ? {} : { signal }) };
  await walkNames(files.scope, searchRoot, walk, ({ way, names, isRepository }) => {
    const folder = way === "" ? "" : `${way}/`;
    if (isRepository) doubtful.push(folder + OF_REPOSITORY);
    for (const { name, kind } of names) {
      does ||= kind === "other" && KNOWN.has(name);
      if (kind === "link" && KNOWN.has(name)) doubtful.push(folder + name);
    }
    return does || isOver() || doubtful.length > MOST_DOUBTFUL ? "stop" : undefined;
  });
  return does || (!isOver() && (await lookAtNames(files.scope, searchRoot, doubtful, { signal })).some(mayHoldUp));
}

/** What a link leads to is told only of files and folders. */
function mayHoldUp(found: FoundName | undefined): boolean {
  return found !== undefined && (found.kind === "other" || (found.kind === "link" && found.target === undefined));
}
