import type { Facts } from "../look/facts.js";
import { durationText, percentText, sizeText } from "./text.js";
import { severityOf, type Anomaly, type NextStep, type Thresholds } from "./anomaly.js";

const BY_MEMORY: NextStep = { id: "largest-processes" };
/** Swapping back and forth that a person feels. */
const SWAPPED_BYTES_PER_SECOND = 4 * 1024 * 1024;

export function ofMemory(facts: Facts, thresholds: Thresholds): Anomaly[] {
  return [...ofUse(facts, thresholds), ...ofSwap(facts, thresholds)];
}

function ofUse({ memory }: Facts, { memoryPercent }: Thresholds): Anomaly[] {
  if (memory === null || memory.totalBytes === 0) return [];
  const percent = (100 * memory.usedBytes) / memory.totalBytes;
  if (percent < memoryPercent) return [];
  return [
    {
      severity: severityOf(percent, memoryPercent),
      kind: "memory",
      fact: `memory ${percentText(percent)} used, ${sizeText(memory.availableBytes)} available`,
      likelyCause: "programs that hold it",
      nextStep: BY_MEMORY,
    },
  ];
}

function ofSwap({ memory, before, now, pageBytes }: Facts, { swapPercent }: Thresholds): Anomaly[] {
  const found: Anomaly[] = [];
  const swap = memory !== null && memory.swapTotalBytes > 0 ? (100 * memory.swapUsedBytes) / memory.swapTotalBytes : 0;
  if (swap >= swapPercent && swap > 0)
    found.push({
      severity: "warning",
      kind: "memory",
      fact: `swap ${percentText(swap)} used`,
      likelyCause: "more was in use than memory holds, now or earlier",
      nextStep: BY_MEMORY,
    });
  const pages = (now.vm?.swappedPages ?? 0) - (before.vm?.swappedPages ?? 0);
  const perSecond = (pages * pageBytes * 1000) / Math.max(1, now.at - before.at);
  if (perSecond >= SWAPPED_BYTES_PER_SECOND)
    found.push({
      severity: "warning",
      kind: "memory",
      fact: `${sizeText(perSecond)} a second go to swap and back`,
      likelyCause: "too little memory for what runs",
      nextStep: BY_MEMORY,
    });
  return found;
}

export function ofOomKills({ oom, hasLogs }: Facts): Anomaly[] {
  if (oom === null) return [];
  const { count, withinSeconds, isSinceStart } = oom;
  const time = durationText(withinSeconds);
  const when = isSinceStart ? `since the machine started ${time} ago` : `in the last ${time}`;
  return [
    {
      severity: !isSinceStart && withinSeconds <= 600 ? "critical" : "warning",
      kind: "memory",
      fact: `the kernel killed ${count} process${count === 1 ? "" : "es"} for want of memory ${when}`,
      likelyCause: "a program or a container that outgrew its memory",
      nextStep: hasLogs ? { id: "kernel-log", with: "killed process" } : BY_MEMORY,
    },
  ];
}
