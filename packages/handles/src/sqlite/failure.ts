import { EngineUnavailableError, OpsError, WriteFailedError } from "@llmc/errors";

/** What a driver's error means to us. */
export type Failure = "busy" | "corrupt" | "full" | "unreadable" | "shut";

/** A file that opens but whose pages do not hold together. */
export class CorruptFileError extends Error {
  readonly code = "SQLITE_CORRUPT";
}

// SQLite's primary result codes, by number (node:sqlite) and by name (better-sqlite3).
const BY_NUMBER: Readonly<Record<number, Failure>> = {
  5: "busy",
  6: "busy",
  8: "shut",
  10: "full",
  11: "corrupt",
  13: "full",
  14: "shut",
  26: "corrupt",
};
const BY_NAME: Readonly<Record<string, Failure>> = {
  BUSY: "busy",
  LOCKED: "busy",
  READONLY: "shut",
  IOERR: "full",
  CORRUPT: "corrupt",
  FULL: "full",
  CANTOPEN: "shut",
  NOTADB: "corrupt",
};
const READ_FAILURES = new Set(["SQLITE_IOERR_READ", "SQLITE_IOERR_SHORT_READ", 266, 522]);

export function failureOf(thrown: unknown): Failure | null {
  // drizzle wraps some of the driver's errors; the chain is short.
  for (let error = thrown, depth = 0; error instanceof Error && depth < 4; error = error.cause, depth += 1) {
    const failure = classify(error as Error & { code?: unknown; errcode?: unknown });
    if (failure !== null) return failure;
  }
  return null;
}

function classify({ code, errcode }: { code?: unknown; errcode?: unknown }): Failure | null {
  if (READ_FAILURES.has(code as string) || READ_FAILURES.has(errcode as number)) return "unreadable";
  if (code === "ERR_SQLITE_ERROR" && typeof errcode === "number") return BY_NUMBER[errcode & 0xff] ?? null;
  if (typeof code !== "string" || !code.startsWith("SQLITE_")) return null;
  return BY_NAME[code.split("_")[1] ?? ""] ?? null;
}

/** The error a caller meets. What is none of these is our own mistake and stays as it is. */
export function toOpsError(thrown: unknown): unknown {
  if (OpsError.is(thrown)) return thrown;
  const failure = failureOf(thrown);
  if (failure === "full") {
    return new WriteFailedError("The server's database", sentence(thrown), {
      hint: FREE_SPACE,
      cause: thrown,
    });
  }
  if (failure === null) return thrown;
  return new EngineUnavailableError("The server's database", PROBLEMS[failure], HINTS[failure]);
}

/** Nothing serves, as against one row that did not fit. */
export function diskFullError(): EngineUnavailableError {
  return new EngineUnavailableError("The server's database", "its disk is full", FREE_SPACE);
}

const FREE_SPACE = "Free space on the disk that holds the server's data folder.";
const PROBLEMS = {
  busy: "another process keeps it locked",
  corrupt: "its file is corrupt",
  unreadable: "the disk reports a read error",
  shut: "its file cannot be opened for writing",
};
const HINTS = {
  busy: "Try again; if it lasts, look for a program that holds linuxops.db open.",
  corrupt: "Look at the server's log; move linuxops.db away if it goes on.",
  unreadable: "Look at the kernel's log for that disk.",
  shut: "The operator can make the data folder writable, or set LLMC_DATA_DIR to another one.",
};

function sentence(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
