import { isUtf8 } from "node:buffer";
import { recognisers, tell, type Filters, type Told } from "@llmc/envelope";
import { localOwner } from "@llmc/handles";
import { plainOutput, type KeptOutput } from "@llmc/te-shell";
import type { Places } from "../command-line/asked.js";
import type { OpenStore } from "../store/open-store.js";
import { handleWords } from "./words.js";

export interface Printed {
  readonly stdout: KeptOutput;
  readonly stderr: KeptOutput;
  readonly exitCode: number;
}

export interface ShortenOptions {
  readonly command: string | readonly string[];
  /** Most tokens of both streams together. */
  readonly budget: number | undefined;
  /** The largest payload of a handle. */
  readonly keptBytes: number;
  readonly places: Places;
  /** The person has filters of outputs. */
  readonly hasFilters: boolean;
}

const DEFAULT_TOKENS = 5000;
const BYTES_PER_TOKEN = 4;

/** Shortens the output of a command; undefined where the whole output is to be printed unchanged. */
export async function shortened(printed: Printed, options: ShortenOptions): Promise<Told | undefined> {
  // Other bytes than text are for a program, and a program needs all bytes.
  if (![printed.stdout, printed.stderr].every(isText)) return undefined;
  // Without a handle the rest would be lost, whatever the reason is.
  const told = await toldOf(printed, options).catch(() => undefined);
  if (told === undefined) return undefined;
  const isKept = [told.stdout, told.stderr].every(({ isChanged, handle }) => !isChanged || handle !== null);
  return isKept ? told : undefined;
}

/** Returns both streams shortened, with a header that counts the lines left out before the first shortened one. */
export async function shortenedText(
  printed: Printed,
  options: ShortenOptions,
): Promise<{ readonly stdout: string; readonly stderr: string } | undefined> {
  const told = await shortened(printed, options);
  if (told === undefined) return undefined;
  const { stdout, stderr, marker } = told;
  const exit = printed.exitCode === 0 ? "" : `exit ${printed.exitCode} · `;
  const header = marker === null ? "" : `[${exit}${marker}]\n`;
  // A program may read a stream that is whole.
  if (!stdout.isChanged && stderr.isChanged) return { stdout: stdout.text, stderr: header + stderr.text };
  return { stdout: header + stdout.text, stderr: stderr.text };
}

async function toldOf(
  { stdout, stderr, exitCode }: Printed,
  { command, budget = DEFAULT_TOKENS, keptBytes, places, hasFilters }: ShortenOptions,
): Promise<Told> {
  let opening: Promise<OpenStore> | undefined;
  const handles = async () => {
    const { settings, store } = await (opening ??= open(places));
    if (!settings.mcp.te.enabled) throw new Error("mcp.te.enabled is false");
    return store;
  };
  try {
    return await tell(
      { stdout: plainOutput(stdout), stderr: plainOutput(stderr), printed: { stdout, stderr }, exitCode },
      { command, isRaw: false },
      {
        handles,
        words: handleWords(places),
        recognisers,
        ...(hasFilters ? { filters: filtersOf(places) } : {}),
        session: { owner: localOwner() },
        limits: { budget: { tokens: budget, bytes: budget * BYTES_PER_TOKEN }, keptBytes },
      },
    );
  } finally {
    await opening?.then(
      (store) => store.close(),
      () => undefined,
    );
  }
}

/** Loads the configuration and the database late, because most outputs need neither. */
async function open(places: Places): Promise<OpenStore> {
  const { openStore } = await import("../store/open-store.js");
  return await openStore(places);
}

function filtersOf(places: Places): Filters {
  return {
    async dropsOf(command) {
      const { loadFilters } = await import("../store/load-filters.js");
      return await (await loadFilters(places)).dropsOf(command);
    },
  };
}

function isText(kept: KeptOutput): boolean {
  // A gap may lie within a character.
  const bytes = Buffer.concat([kept.head(), kept.tail()]);
  return !bytes.includes(0) && (kept.lost > 0 || isUtf8(bytes));
}
