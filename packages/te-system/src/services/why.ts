import { amountOf, textOf, type Properties } from "./properties.js";

/** Exit codes that systemd itself gives before the program ever ran, see systemd.exec(5). */
const BEFORE_START: Readonly<Record<number, string>> = {
  200: "its working folder cannot be entered",
  203: "its program cannot be executed: wrong path, or not executable",
  206: "its limits cannot be set",
  209: "its standard output cannot be opened",
  216: "its group does not exist",
  217: "its user does not exist",
  218: "its capabilities cannot be set",
  226: "its namespace cannot be set up: a path of its sandbox is missing",
  228: "its seccomp filter cannot be set",
  233: "its runtime directory cannot be made",
  238: "its state directory cannot be made",
  240: "its logs directory cannot be made",
};
const SIGNALS: Readonly<Record<number, string>> = {
  1: "SIGHUP",
  2: "SIGINT",
  4: "SIGILL",
  6: "SIGABRT (it gave up itself)",
  7: "SIGBUS",
  8: "SIGFPE",
  9: "SIGKILL",
  11: "SIGSEGV (a crash)",
  13: "SIGPIPE",
  15: "SIGTERM",
  31: "SIGSYS (a forbidden system call)",
};
const RESULTS: Readonly<Record<string, string>> = {
  "oom-kill": "the kernel killed it for want of memory",
  timeout: "it did not start or stop in time",
  watchdog: "it did not answer its watchdog",
  "start-limit-hit": "it was started too often in too short a time",
  resources: "the system lacks what it needs to start it",
  protocol: "it did not report that it was ready",
  "exec-condition": "its ExecCondition said no",
};

const EXITED = 1;
const KILLED = 2;
const DUMPED = 3;

export interface LastExit {
  /** exited, killed or dumped. */
  readonly how: "exited" | "killed" | "dumped";
  readonly status: number;
}

export function lastExitOf(properties: Properties): LastExit | null {
  const code = amountOf(properties, "ExecMainCode");
  const status = amountOf(properties, "ExecMainStatus");
  const how = code === EXITED ? "exited" : code === KILLED ? "killed" : code === DUMPED ? "dumped" : null;
  return how === null || status === null ? null : { how, status };
}

/** Why it is as it is, where that needs a word. */
export function whyOf(properties: Properties): string | null {
  const load = textOf(properties, "LoadState");
  if (load === "masked") return "it is masked: it cannot be started";
  if (load === "bad-setting" || load === "error")
    return `its unit file is wrong: ${textOf(properties, "LoadError") ?? load}`;
  const result = textOf(properties, "Result") ?? "success";
  if (result !== "success") return reasonOf(result, lastExitOf(properties));
  return textOf(properties, "ConditionResult") === "no" ? "a condition of its unit file was not met" : null;
}

function reasonOf(result: string, last: LastExit | null): string {
  const known = RESULTS[result];
  const exit = last === null ? null : exitText(last);
  if (known !== undefined) return exit === null ? known : `${known}; ${exit}`;
  return exit ?? result;
}

export function exitText({ how, status }: LastExit): string {
  if (how !== "exited")
    return `it was ended by ${SIGNALS[status] ?? `signal ${status}`}${how === "dumped" ? ", with a core dump" : ""}`;
  const before = BEFORE_START[status];
  return before === undefined ? `it exited with ${status}` : `it exited with ${status}: ${before}`;
}
