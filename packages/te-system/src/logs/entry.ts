/** One line of a log. */
export interface LogEntry {
  /** Null where the line has no time that could be read. */
  readonly atMs: number | null;
  /** Who wrote it: sshd, kernel, a unit. */
  readonly source: string;
  readonly pid: number | null;
  /** As syslog has it: 0 emergency … 7 debug. Null where the log does not tell. */
  readonly priority: number | null;
  readonly message: string;
}

export interface LogQuery {
  /** A unit of systemd, the name that a program writes under, or "kernel". */
  readonly unit?: string | undefined;
  readonly sinceMs?: number | undefined;
  readonly untilMs?: number | undefined;
  /** At least as bad as this. */
  readonly priority?: number | undefined;
  /** In any case; "a|b" is either. */
  readonly grep?: string | undefined;
  /** The newest so many; with a cursor the first so many after it. */
  readonly lines: number;
  readonly cursor?: string | undefined;
}

export interface LogPage {
  /** Oldest first. */
  readonly entries: readonly LogEntry[];
  /** Where to go on; null where nothing was found. */
  readonly cursor: string | null;
  /** "journal", or the file. */
  readonly from: string;
  /** There are more than were asked for: older ones, with a cursor newer ones. */
  readonly hasMore: boolean;
  readonly notes: readonly string[];
}

/** Whether an entry has one of the words. Plain text: a pattern could take for ever on a log of gigabytes. */
export function matcher(grep: string | undefined): (text: string) => boolean {
  if (grep === undefined) return () => true;
  const words = grep
    .toLowerCase()
    .split("|")
    .filter((word) => word !== "");
  return (text) => {
    const lower = text.toLowerCase();
    return words.length === 0 || words.some((word) => lower.includes(word));
  };
}
