import { EngineUnavailableError, InvalidArgumentError, PermissionDeniedError } from "@llmc/errors";
import type { LogPage, LogQuery } from "./entry.js";
import { readJournal, type JournalSources } from "./journal.js";
import { readLogFiles } from "./log-files.js";

export interface Logs {
  /** From the journal, else from the files that stand for it. */
  read(query: LogQuery, signal?: AbortSignal): Promise<LogPage>;
}

export interface LogsSources extends JournalSources {
  /** Of the file system. */
  readonly root: string;
  readonly bootedAtMs: () => number | null;
}

const UNIT = /^[A-Za-z0-9:_.\\@-]{1,255}$/;

export function logsOf(sources: LogsSources): Logs {
  return {
    async read(query, signal) {
      check(query);
      const isOfFile = query.cursor?.startsWith("f:") === true;
      const changes = isOfFile ? undefined : await readJournal(query, sources, signal);
      if (changes !== undefined) return changes;
      const found = readLogFiles(query, sources.root, sources.bootedAtMs(), new Date());
      if ("page" in found) return found.page;
      const [closed] = found.closed;
      if (closed !== undefined)
        throw new PermissionDeniedError(closed, {
          hint: "The operator can put this server's user into the group adm or systemd-journal.",
        });
      throw new EngineUnavailableError(
        "The system log",
        `there is no journal, and none of ${found.absent.join(", ")}`,
        { id: "read-log-files" },
      );
    },
  };
}

function check({ unit, sinceMs, untilMs }: LogQuery): void {
  if (unit !== undefined && (!UNIT.test(unit) || unit.startsWith("-") || unit.includes("..")))
    throw new InvalidArgumentError(
      `${JSON.stringify(unit.slice(0, 100))} is not a valid name of a unit`,
      'Such as "nginx", "ssh.service" or "kernel".',
    );
  if (sinceMs !== undefined && untilMs !== undefined && sinceMs > untilMs)
    throw new InvalidArgumentError("The beginning is later than the end", { id: "swap-times" });
}
