import { OpsError } from "./ops-error.js";
import type { Advice, Words } from "./remedy.js";

/** One text for everything outside: it must not tell whether the path exists. */
export class OutsideRootsError extends OpsError {
  constructor(path: string, ...roots: string[]) {
    super("INVALID_PATH", `${path} is outside the allowed roots`, { hint: { id: "inside-roots", roots } });
  }
}

/** The link itself lies inside, so its being one is no secret; where it leads is. */
export class LinkOutsideError extends OpsError {
  constructor(path: string, ...roots: string[]) {
    super("INVALID_PATH", `${path} is or passes a link that leads outside the allowed roots`, {
      hint: { id: "inside-roots", roots },
    });
  }
}

export class NoRootsError extends OpsError {
  constructor() {
    super("INVALID_PATH", "No roots are configured, so no path is allowed", {
      hint: { id: "configure-roots" },
    });
  }
}

export class InvalidPathError extends OpsError {
  constructor(path: string, problem: string, hint?: Advice) {
    super("INVALID_PATH", `${path} ${problem}`, { hint });
  }
}

export class NotFoundError extends OpsError {
  /** Who can look at the disk may find what was meant. */
  readonly path: string;

  constructor(path: string, hint?: Advice) {
    super("NOT_FOUND", `${path} does not exist`, { hint });
    this.path = path;
  }
}

export class NotADirectoryError extends OpsError {
  constructor(path: string, hint: Advice = "Leave out what follows it, or name another folder.") {
    super("NOT_A_DIRECTORY", `${path} is a file, not a folder`, { hint });
  }
}

export class IsDirectoryError extends OpsError {
  constructor(path: string, hint?: Advice) {
    super("IS_DIRECTORY", `${path} is a folder`, { hint });
  }
}

export class PermissionDeniedError extends OpsError {
  constructor(path: string, options: { hint?: Advice; cause?: unknown } = {}) {
    super("PERMISSION_DENIED", `No permission for ${path}`, options);
  }
}

export class UnsupportedContentError extends OpsError {
  constructor(path: string, kind: string, size: number, hint?: Advice) {
    super("UNSUPPORTED_CONTENT", `${path} is binary (${kind}, ${size} bytes)`, {
      hint: hint ?? { id: "look-by-command" },
    });
  }
}

export class WriteFailedError extends OpsError {
  constructor(what: string, problem: string, options: { hint?: Advice; cause?: unknown } = {}) {
    super("WRITE_FAILED", `${what} could not be written: ${problem}`, options);
  }
}

/** `problem` says which hunk of which file does not fit, and where it nearly does; `details` carry the lines that differ. */
export class PatchFailedError extends OpsError {
  constructor(
    problem: string,
    { hint, details }: { hint?: Advice | undefined; details?: Readonly<Record<string, unknown>> | undefined } = {},
  ) {
    super("PATCH_FAILED", problem, { hint, details });
  }
}

export class OutputTooLargeError extends OpsError {
  /** `problem` goes on after the path: "is too large to be shown (…)". */
  constructor(path: string, problem: string, hint?: Advice) {
    super("OUTPUT_TOO_LARGE", `${path} ${problem}`, { hint });
  }
}

export class AlreadyExistsError extends OpsError {
  constructor(path: string, hint?: Advice) {
    super("ALREADY_EXISTS", `${path} exists already`, { hint });
  }
}

/** `sha256` is what the file has now: passed back, it is the caller's word that this may be replaced. */
export class ShaMismatchError extends OpsError {
  constructor(path: string, sha256: string) {
    super("SHA_MISMATCH", `${path} is not the file of the expected SHA-256`, {
      hint: { id: "expect-content", path, sha256 },
      details: { sha256 },
    });
  }
}

export class StaleFileError extends OpsError {
  /** Without the sum: the call is about a folder that holds the file. */
  constructor(path: string, sha256?: string) {
    super("STALE_FILE", `Another program changed ${path} since this session read it`, {
      hint: { id: "read-again" },
      details: sha256 === undefined ? undefined : { sha256 },
    });
  }
}

export interface PatchCount {
  readonly path: string;
  /** Which of several edits, from 0; left out where there is one. */
  readonly edit?: number | undefined;
  readonly found: number;
  readonly expected: number;
}

export class PatchCountMismatchError extends OpsError {
  /** `says` follows "the text to replace"; the default is the counts with `more` behind them. */
  constructor(
    { path, edit, found, expected }: PatchCount,
    {
      more = "",
      says = `${found === 0 ? `is not in ${path}` : `occurs ${times(found)} in ${path}, not ${times(expected)}`}${more}`,
      hint,
      details,
    }: { more?: string; says?: string; hint: Advice; details?: Readonly<Record<string, unknown>> },
  ) {
    const which = edit === undefined ? "" : `edit ${edit}: `;
    super("PATCH_COUNT_MISMATCH", `${which}the text to replace ${says}`, {
      hint: { id: "text-to-replace", ...(edit === undefined ? {} : { edit }), says, advice: hint },
      details: { found, expected, ...(edit === undefined ? {} : { edit }), ...details },
    });
  }
}

function times(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}

export class UndoNotFoundError extends OpsError {
  constructor(problem: string, hint: string) {
    super("NOT_FOUND", problem, { hint });
  }
}

/** The last change of a session cannot be taken back; `before` is the one before it that can. */
export class UndoNotKeptError extends OpsError {
  constructor(what: string, reason: string, before: string | undefined) {
    super("NOT_FOUND", `The last change of this session (${what}) cannot be undone: ${reason}`, {
      hint:
        before === undefined
          ? "Nothing before it is kept either."
          : `To undo the change before it, pass its id: ${before}.`,
    });
  }
}

/** `by` is the change that took it back, if that is still known. */
export class UndoneAlreadyError extends OpsError {
  constructor(id: string, by: string | undefined) {
    super("NOT_FOUND", `${id} is undone already`, {
      hint: by === undefined ? "A change cannot be undone twice." : `To make the change once more, undo ${by}.`,
    });
  }
}

/** What is there is not what the change left there. */
export class UndoConflictError extends OpsError {
  constructor(path: string, problem: string, hint: Advice) {
    super("STALE_FILE", `${path} ${problem}, so nothing was undone`, { hint });
  }
}

/** Something was done already when `thrown` ended it: `state` says what there is now, `details` counts it. */
export class HalfDoneError extends OpsError {
  readonly #state: string;

  constructor(thrown: unknown, state: string, details: Readonly<Record<string, unknown>>) {
    const { code, message, advice } = OpsError.from(thrown);
    super(code, `${message}; ${state}`, { hint: advice, details, cause: thrown });
    this.#state = state;
  }

  override word({ message, hint }: Words): void {
    super.word({ hint, ...(message === undefined ? {} : { message: `${message}; ${this.#state}` }) });
  }
}
