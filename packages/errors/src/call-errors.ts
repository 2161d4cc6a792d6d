import { OpsError } from "./ops-error.js";
import type { Advice } from "./remedy.js";

export class InvalidArgumentError extends OpsError {
  constructor(message: string, hint?: Advice) {
    super("INVALID_ARGUMENT", message, { hint });
  }
}

export class UnknownToolError extends OpsError {
  constructor(name: string, hint: Advice = "See the list of tools.") {
    const shown = name.slice(0, 100);
    super("INVALID_ARGUMENT", `Unknown tool ${JSON.stringify(shown)}`, {
      hint,
      details: { unknown_tool: shown },
    });
  }
}

export class FeatureDisabledError extends OpsError {
  /** `switchedBy` is the setting's name where the caller knows it, else a remedy. */
  constructor(what: string, switchedBy: Advice) {
    const hint = typeof switchedBy === "string" ? `The operator can change ${switchedBy}.` : switchedBy;
    super("FEATURE_DISABLED", `${what} is switched off`, { hint });
  }
}

export class TimeoutError extends OpsError {
  constructor(what: string, seconds: number, hint?: Advice) {
    super("TIMEOUT", `${what} did not finish within ${seconds} s`, { hint });
  }
}

export class MountTimeoutError extends OpsError {
  constructor(mount: string) {
    super("TIMEOUT", `the mount ${mount} does not answer`, { hint: "Try again later, or use a path elsewhere." });
  }
}

export class CancelledError extends OpsError {
  constructor(what: string) {
    super("CANCELLED", `${what} was cancelled`);
  }
}

export class RateLimitedError extends OpsError {
  constructor(limit: string, retryAfterMs: number) {
    super("RATE_LIMITED", `Too many calls: ${limit}`, {
      hint: `Try again in ${Math.max(1, Math.ceil(retryAfterMs / 1000))} s.`,
      details: { retry_after_ms: retryAfterMs },
    });
  }
}

export class ConfirmationError extends OpsError {
  constructor(tool: string, reason: string, hint?: Advice) {
    super("PERMISSION_DENIED", `${tool} was not confirmed: ${reason}`, { hint });
  }
}

export class CommandNotAllowedError extends OpsError {
  constructor(reason: string, hint: Advice) {
    super("COMMAND_NOT_ALLOWED", `Not allowed: ${reason}`, { hint });
  }
}

export class ProcessNotFoundError extends OpsError {
  constructor(pid: number, hint: Advice = { id: "list-processes" }) {
    super("PROCESS_NOT_FOUND", `There is no process ${pid}`, { hint });
  }
}

export class ManagedProcessNotFoundError extends OpsError {
  constructor(id: string) {
    super("PROCESS_NOT_FOUND", `This session has no process ${JSON.stringify(id.slice(0, 60))}`, {
      hint: { id: "list-own-processes" },
    });
  }
}

export class ProcessLimitError extends OpsError {
  constructor(limit: string, hint: Advice) {
    super("PROC_LIMIT", `No more processes: ${limit}`, { hint });
  }
}

export class UnitNotFoundError extends OpsError {
  constructor(unit: string, hint: Advice) {
    super("NOT_FOUND", `There is no unit ${unit}`, { hint });
  }
}

export class KillForbiddenError extends OpsError {
  /** `reason` follows the pid, as in "is this server". */
  constructor(pid: number, reason: string) {
    super("KILL_FORBIDDEN", `Process ${pid} ${reason} and cannot be signalled`);
  }
}

export class EngineUnavailableError extends OpsError {
  constructor(engine: string, problem: string, hint: Advice) {
    super("ENGINE_UNAVAILABLE", `${engine} is not available: ${problem}`, { hint });
  }
}

export class HandleNotFoundError extends OpsError {
  constructor(id: string) {
    super("HANDLE_NOT_FOUND", `There is no handle ${id}`, { hint: "Repeat the call that made it." });
  }
}

export class HandleExpiredError extends OpsError {
  constructor(id: string) {
    super("HANDLE_EXPIRED", `The handle ${id} has expired`, { hint: "Repeat the call that made it." });
  }
}
