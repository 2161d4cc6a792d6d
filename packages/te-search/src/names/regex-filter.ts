import { InvalidArgumentError } from "@llmc/errors";
import { displayPath as showPath } from "@llmc/names";
import type { Bytes } from "@llmc/names";
import type { Facts } from "./filters.js";
import { BEYOND_ASCII } from "./fold.js";
import { placeOf } from "./place.js";
import type { Regex, RegexThread, Tested } from "./regex-thread.js";
import { FilterChain, type NameFilter, type NameFilterOptions } from "./name-filter.js";

/** Enough for a message to cost nothing; few enough for a walk not to get far ahead. */
const NAMES_AT_ONCE = 2048;

interface Batch {
  /** As the regex sees them. */
  readonly texts: string[];
  readonly ways: Bytes[];
  readonly facts: Facts[];
}

export interface RegexFilterOptions extends NameFilterOptions {
  readonly thread: Promise<RegexThread | undefined>;
  /** Aborted at the deadline, and when the search is cancelled. */
  readonly signal: AbortSignal;
}

/** While a thread tries the names of one batch, the next one fills. */
export function regexFilter(regex: Regex, options: RegexFilterOptions): NameFilter {
  const funnel = new FilterChain([{ by: "pattern", order: "short" }], options);
  const isAboutPaths = regex.source.includes("/");
  let batch: Batch = { texts: [], ways: [], facts: [] };
  let running: Promise<void> = Promise.resolve();

  const test = async ({ texts, ways, facts }: Batch): Promise<void> => {
    const thread = await options.thread;
    const tested = await thread?.test(regex, texts, options.signal);
    if (tested === undefined) return;
    const spans = spansIn(tested, texts);
    for (let at = 0; at < spans.length; at += 3) {
      const [nth, from, to] = spans.subarray(at, at + 3) as unknown as [number, number, number];
      const text = texts[nth] as string;
      const place = placeOf(text, from, to, isAboutPaths ? text.lastIndexOf("/") + 1 : 0);
      funnel.add(0, ways[nth] as Bytes, facts[nth] as Facts, place);
    }
    await funnel.lookAtWaiting();
  };

  const flush = async (): Promise<void> => {
    const full = batch;
    batch = { texts: [], ways: [], facts: [] };
    const before = running;
    running = before.then(() => test(full));
    // It is told by whoever waits for it next.
    running.catch(() => {});
    await before;
  };

  const takeFrom = (folder: Parameters<NameFilter["take"]>[0], from: number): void | Promise<void> => {
    const { way, names } = folder;
    const path = way === "" ? "" : `${way}/`;
    for (let at = from; at < names.length; at++) {
      const found = names[at] as (typeof names)[number];
      const below = path + found.name;
      const text = isAboutPaths ? below : found.name;
      batch.texts.push(BEYOND_ASCII.test(text) ? showPath(text) : text);
      batch.ways.push(below);
      batch.facts.push(found);
      if (batch.texts.length === NAMES_AT_ONCE) return flush().then(() => takeFrom(folder, at + 1));
    }
  };

  return {
    take: (folder) => (funnel.couldTakeIn(folder.way) ? takeFrom(folder, 0) : undefined),
    async end() {
      await flush();
      await running;
    },
    found: () => funnel.found(),
  };
}

function spansIn(tested: Tested, texts: readonly string[]): Int32Array {
  if ("spans" in tested) return tested.spans;
  if ("slowAt" in tested) {
    const name = texts[tested.slowAt] ?? "";
    throw new InvalidArgumentError(
      `The regex takes too long on the name ${JSON.stringify(name)}`,
      "Avoid repeats within repeats, such as (a+)+.",
    );
  }
  throw new InvalidArgumentError(`The regex cannot be run: ${tested.failure}`, "Use a shorter or simpler one.");
}
