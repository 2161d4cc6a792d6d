import { EngineUnavailableError, InvalidArgumentError, TimeoutError, CancelledError } from "@llmc/errors";
import { run } from "@llmc/te-run";
import { complaint, PLAIN_ENV, type ProgramPlace } from "../ask/program.js";
import { unitName } from "../services/unit-name.js";
import { matcher, type LogPage, type LogQuery } from "./entry.js";
import { parseJournalLine, type JournalLine } from "./journal-lines.js";
import { lineSplitter } from "./line-splitter.js";

export interface JournalSources {
  readonly place: ProgramPlace;
  readonly timeoutMs: number;
  /** Of this boot, without dashes; null where the kernel does not tell. */
  readonly bootId: () => string | null;
  /** Some versions of journalctl say nothing where there is no journal at all. */
  readonly hasJournal: () => boolean;
}

/** What is read of the journal for one answer, at most. */
const MAX_READ = 256 * 1024 * 1024;
const FIELDS = "MESSAGE,PRIORITY,SYSLOG_IDENTIFIER,SYSLOG_PID,_PID,_SYSTEMD_UNIT,_COMM";
const CURSOR = /^s=[0-9a-f]+;i=[0-9a-f]+;b=([0-9a-f]{32});[0-9a-f;=mtx]+$/;
const NO_JOURNAL = /No journal files were (found|opened)|Failed to open (the )?journal|not been booted/i;
const HIDDEN = /not seeing messages from other users/i;

/** Undefined where there is no journal to read. */
export async function readJournal(
  query: LogQuery,
  { place, timeoutMs, bootId, hasJournal }: JournalSources,
  signal: AbortSignal | undefined,
): Promise<LogPage | undefined> {
  checkCursor(query.cursor, bootId());
  const found: JournalLine[] = [];
  const fits = matcher(query.grep);
  let [seen, unread] = [0, 0];
  const split = lineSplitter((line) => {
    const parsed = parseJournalLine(line);
    if (parsed === undefined) unread += 1;
    else if (fits(`${parsed.entry.source} ${parsed.entry.message}`)) found.push(parsed);
  });
  const result = await run(["journalctl", ...argumentsOf(query)], {
    maxBytes: 64 * 1024,
    timeoutMs,
    env: { ...PLAIN_ENV, ...(place.path === undefined ? {} : { PATH: place.path }) },
    ...(signal === undefined ? {} : { signal }),
    onStdout: (chunk) => {
      seen += chunk.length;
      split.take(chunk);
      return found.length > query.lines || seen > MAX_READ ? "stop" : undefined;
    },
  }).catch((thrown: unknown) => {
    if (thrown instanceof EngineUnavailableError) return undefined;
    throw thrown;
  });
  if (result === undefined) return undefined;
  split.end();
  const said = result.stderr.toString();
  if (result.ended === "cancelled") throw new CancelledError("journalctl");
  if (found.length === 0) {
    if (result.ended === "timeout") throw new TimeoutError("journalctl", timeoutMs / 1000, { id: "narrower-log" });
    if (NO_JOURNAL.test(said) || (seen === 0 && result.exitCode === 0 && !hasJournal())) return undefined;
    if (result.ended === "exit" && result.exitCode !== 0) throw failure(complaint(result), query);
    if (unread > 0) throw new EngineUnavailableError("journalctl", "its answer ends in the middle", "Try again.");
  }
  return page(found, query, [
    ...(result.ended === "timeout" ? ["it took too long: these are the first hits"] : []),
    ...(seen > MAX_READ ? ["the journal is too large to look through: these are the first hits"] : []),
    ...(unread > 0 ? [`${unread} lines of journalctl could not be read`] : []),
    ...(HIDDEN.test(said)
      ? ["only what this server's user may see: the groups systemd-journal and adm may see all"]
      : []),
  ]);
}

/** Newest first without a cursor, because -n with --since takes the wrong end in some versions; forwards with one. */
function argumentsOf({ unit, sinceMs, untilMs, priority, cursor }: LogQuery): string[] {
  const args = ["--output=json", `--output-fields=${FIELDS}`, "--no-pager"];
  args.push(cursor === undefined ? "--reverse" : `--after-cursor=${cursor}`);
  if (sinceMs !== undefined) args.push(`--since=@${Math.floor(sinceMs / 1000)}`);
  if (untilMs !== undefined) args.push(`--until=@${Math.ceil(untilMs / 1000)}`);
  if (priority !== undefined) args.push(`--priority=${priority}`);
  if (unit === "kernel") args.push("_TRANSPORT=kernel");
  else if (unit !== undefined) args.push(`--unit=${unitName(unit)}`);
  return args;
}

function checkCursor(cursor: string | undefined, bootId: string | null): void {
  if (cursor === undefined) return;
  const boot = CURSOR.exec(cursor)?.[1];
  if (boot === undefined) throw new InvalidArgumentError("cursor is not one of the journal", { id: "cursor-as-given" });
  if (bootId !== null && boot !== bootId)
    throw new InvalidArgumentError("cursor is of another boot of this machine", { id: "time-instead" });
}

function failure(said: string, { cursor }: LogQuery): Error {
  if (cursor !== undefined && /cursor/i.test(said))
    return new InvalidArgumentError(`cursor leads nowhere: ${said}`, { id: "time-instead" });
  return new EngineUnavailableError("journalctl", said, { id: "services-without-log" });
}

function page(found: readonly JournalLine[], { lines, cursor }: LogQuery, notes: readonly string[]): LogPage {
  const kept = found.slice(0, lines);
  const inOrder = cursor === undefined ? kept.toReversed() : kept;
  return {
    entries: inOrder.map(({ entry }) => entry),
    cursor: inOrder.at(-1)?.cursor ?? cursor ?? null,
    from: "journal",
    hasMore: found.length > lines,
    notes,
  };
}
