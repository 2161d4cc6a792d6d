import { header } from "../../../answer/header.js";

interface Target {
  readonly pid: number;
  readonly command: string;
  readonly outcome?: string | undefined;
}

export interface KillResult {
  readonly outcome?: string | undefined;
  readonly escalated?: boolean | undefined;
  readonly plan?: readonly Target[] | undefined;
  readonly targets?: readonly Target[] | undefined;
  readonly spared?: readonly { readonly pid: number; readonly reason: string }[] | undefined;
  readonly hint?: string | undefined;
}

export interface KillArgs {
  readonly pid: number;
  readonly signal: string;
}

const MOST_LINES = 40;

/**
 * Writes a header such as `[pid 4242 · exited · SIGTERM]`, and a line for each process of a tree that is left or would
 * be signalled.
 */
export function renderKill(result: KillResult, args: KillArgs): string {
  const { plan, targets = [], spared = [], hint } = result;
  const told = plan ?? targets.filter(({ outcome }) => outcome !== undefined && !isOver(outcome));
  const lines = [
    ...told.map(({ pid, command, outcome }) => [pid, outcome, command].filter(Boolean).join(" ")),
    ...spared.map(({ pid, reason }) => `spared: ${pid} ${reason}`),
  ];
  const more = lines.length > MOST_LINES ? [`and ${lines.length - MOST_LINES} more`] : [];
  const hints = hint === undefined ? [] : [`Hint: ${hint}`];
  return [headOf(result, args), ...lines.slice(0, MOST_LINES), ...more, ...hints].join("\n");
}

export function isOver(outcome: string): boolean {
  return outcome === "exited" || outcome === "zombie";
}

function headOf({ outcome, escalated, plan, targets = [] }: KillResult, { pid, signal }: KillArgs): string {
  if (plan !== undefined) return header(`plan: SIG${signal} to ${plan.length} processes`, ["nothing was sent"]);
  const below = targets.length > 1 ? ` and ${targets.length - 1} below` : "";
  const sent = `SIG${signal}${escalated === true ? ", then SIGKILL" : ""}`;
  return header(`pid ${pid}${below}`, [outcomeOf(outcome, targets), sent]);
}

function outcomeOf(outcome: string | undefined, targets: readonly Target[]): string {
  if (outcome === undefined) return "sent";
  if (targets.length < 2) return outcome;
  const left = targets.filter((each) => each.outcome !== undefined && !isOver(each.outcome)).length;
  return left === 0 ? "all exited" : `${left} left`;
}
