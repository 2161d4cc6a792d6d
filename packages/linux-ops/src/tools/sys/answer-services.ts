import { plainText, sizeText, type Service, type UnitDetails } from "@llmc/te-system";
import { header } from "../../answer/header.js";
import { nextCall } from "../../hints/next-calls.js";
import type { ServicesResult } from "./services-result.js";

export const STATES = [
  "active",
  "inactive",
  "failed",
  "activating",
  "deactivating",
  "reloading",
  "maintenance",
  "running",
  "exited",
  "flapping",
  "all",
] as const;
export type State = (typeof STATES)[number];

interface Wanted {
  readonly state?: State | null | undefined;
  readonly max_results: number;
}

/** Without a state: what is wrong and what runs; the rest is counted. */
export function answerServices(services: readonly Service[], { state, max_results }: Wanted): ServicesResult {
  const fit = services.filter((service) => isWanted(service, state ?? undefined));
  const counts: Record<string, number> = {};
  for (const service of state === undefined || state === null ? services : fit)
    counts[labelOf(service)] = (counts[labelOf(service)] ?? 0) + 1;
  return {
    services: fit.slice(0, max_results).map(row),
    counts,
    truncated: fit.length > max_results,
  };
}

export function answerUnit(
  details: UnitDetails,
  log: readonly string[] | null,
  note: string | undefined,
): ServicesResult {
  const { name, description, state, subState, why } = details;
  return {
    services: [{ name, description, state, sub_state: subState }],
    counts: { [state]: 1 },
    truncated: false,
    unit: {
      enabled: details.enabled,
      since: details.since,
      why,
      last_exit: details.lastExit,
      restarts: details.restarts,
      pid: details.pid,
      status: details.status,
      memory_bytes: details.memoryBytes,
      memory_limit_bytes: details.memoryLimitBytes,
      tasks: details.tasks,
      tasks_limit: details.tasksLimit,
      cpu_seconds: details.cpuSeconds,
      file: details.file,
      log: log && [...log],
    },
    ...(note === undefined ? {} : { note }),
  };
}

function isWanted(service: Service, state: State | undefined): boolean {
  const { active, sub, isFlapping } = service;
  if (state === "all") return true;
  if (state === "flapping") return isFlapping;
  if (state === "running" || state === "exited") return active === "active" && sub === state;
  if (state !== undefined) return active === state;
  return isFlapping || (active !== "inactive" && !(active === "active" && sub === "exited"));
}

function labelOf({ active, sub, isFlapping }: Service): string {
  if (isFlapping && active !== "failed") return "flapping";
  return active === "active" ? sub : active;
}

function row({
  name,
  description,
  active,
  sub,
  isFlapping,
  restarts,
  why,
}: Service): ServicesResult["services"][number] {
  return {
    name,
    description,
    state: active,
    sub_state: sub,
    ...(isFlapping ? { flapping: true as const } : {}),
    ...(restarts !== null && restarts > 0 ? { restarts } : {}),
    ...(why === null ? {} : { why }),
  };
}

export function renderServices(result: ServicesResult): string {
  return result.unit === undefined ? renderList(result) : renderUnit(result, result.unit);
}

/** What is wrong with a line each; what is well by its names alone. */
function renderList({ services, counts, truncated }: ServicesResult): string {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const told = Object.entries(counts).map(([label, count]) => `${count} ${label}`);
  const lines = [
    header(`${total} services`, [...told, ...(truncated ? [`${services.length} shown: pass state for others`] : [])]),
  ];
  const bad = services.filter(isBad);
  for (const each of bad)
    lines.push(
      `${labelText(each)} ${each.name} — ${oneLine(each.description)}${each.why === undefined ? "" : `: ${each.why}`}`,
    );
  const [worst] = bad;
  if (worst !== undefined) lines.push(`Next: ${nextCall({ id: "service", name: worst.name })}`);
  const groups = new Map<string, string[]>();
  for (const each of services.filter((one) => !isBad(one))) {
    const label = each.state === "active" ? each.sub_state : each.state;
    groups.set(label, [...(groups.get(label) ?? []), each.name.replace(/\.service$/, "")]);
  }
  for (const [label, names] of groups) lines.push(`${label}: ${names.join(" ")}`);
  return lines.join("\n");
}

function isBad({ state, flapping }: ServicesResult["services"][number]): boolean {
  return flapping === true || (state !== "active" && state !== "inactive");
}

function labelText({ state, flapping, restarts }: ServicesResult["services"][number]): string {
  const times = restarts === undefined ? "" : ` (${restarts} restarts)`;
  return flapping === true ? `flapping${times}` : state;
}

function renderUnit({ services: [service], note }: ServicesResult, unit: NonNullable<ServicesResult["unit"]>): string {
  if (service === undefined) return "";
  const memory =
    unit.memory_bytes === null
      ? null
      : `memory ${sizeText(unit.memory_bytes)}${unit.memory_limit_bytes === null ? "" : ` of ${sizeText(unit.memory_limit_bytes)}`}`;
  const facts = [
    unit.since === null ? null : `since ${unit.since}`,
    unit.enabled,
    unit.pid === null ? null : `pid ${unit.pid}`,
    unit.restarts === null || unit.restarts === 0 ? null : `${unit.restarts} restarts`,
    memory,
    unit.tasks === null ? null : `tasks ${unit.tasks}${unit.tasks_limit === null ? "" : ` of ${unit.tasks_limit}`}`,
  ].filter((fact) => fact !== null);
  const lines = [
    header(service.name, [`${service.state} (${service.sub_state})`, ...facts]),
    oneLine(service.description),
  ];
  if (unit.why !== null) lines.push(`why: ${unit.why}`);
  else if (unit.last_exit !== null && service.state !== "active") lines.push(`last exit: ${unit.last_exit}`);
  if (unit.status !== null) lines.push(`status: ${oneLine(unit.status)}`);
  if (unit.file !== null) lines.push(`file: ${unit.file}`);
  if (unit.log !== null && unit.log.length > 0) lines.push("log:", ...unit.log.map((line) => `  ${line}`));
  if (note !== undefined) lines.push(`(${note})`);
  return lines.join("\n");
}

function oneLine(text: string): string {
  return plainText(text).slice(0, 300);
}
