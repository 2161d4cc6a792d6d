import type { Facts } from "../look/facts.js";
import { throttledPercent } from "../look/limits.js";
import { percentText, sizeText } from "./text.js";
import { severityOf, type Anomaly, type Thresholds } from "./anomaly.js";

const THROTTLED_PERCENT = 25;
const PIDS_PERCENT = 90;

/** What the container, or the unit, that we run in has left of what it may use. */
export function ofLimits({ group, before, now }: Facts, thresholds: Thresholds): Anomaly[] {
  if (group === null) return [];
  const found: Anomaly[] = [];
  const { usedBytes, reclaimableBytes, limitBytes } = group.memory;
  if (usedBytes !== null && limitBytes !== null) {
    const held = Math.max(0, usedBytes - (reclaimableBytes ?? 0));
    const percent = (100 * held) / limitBytes;
    if (percent >= thresholds.memoryPercent)
      found.push({
        severity: severityOf(percent, thresholds.memoryPercent),
        kind: "limit",
        fact: `this container's memory ${percentText(percent)} used: ${sizeText(held)} of ${sizeText(limitBytes)}`,
        likelyCause: "programs in it; at the limit the kernel kills one",
        nextStep: { id: "largest-processes" },
      });
  }
  const throttled = throttledPercent(before.group, now.group);
  if (throttled !== null && throttled >= THROTTLED_PERCENT)
    found.push({
      severity: "warning",
      kind: "limit",
      fact: `this container was throttled in ${percentText(throttled)} of the last periods: it may use ${group.cpu.cores ?? "few"} processors`,
      likelyCause: "more work than its CPU limit allows",
      nextStep: { id: "busiest-processes" },
    });
  const { used, limit } = group.pids;
  if (used !== null && limit !== null && (100 * used) / limit >= PIDS_PERCENT)
    found.push({
      severity: severityOf((100 * used) / limit, PIDS_PERCENT),
      kind: "limit",
      fact: `${used} of ${limit} processes and threads of this container are in use`,
      likelyCause: "a program that starts them and does not end them",
      nextStep: { id: "process-tree" },
    });
  return found;
}
