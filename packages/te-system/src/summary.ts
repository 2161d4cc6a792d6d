import { usedPercent } from "./disks/space.js";
import type { Facts } from "./facts.js";
import type { Limits } from "./limits.js";
import { percentText, plainText, sizeText } from "./text.js";
import type { Anomaly } from "./wrong/anomaly.js";

const TOLD = 3;

/** One line: what is wrong and what to ask next, else that nothing is; then the figures. */
export function summarize(facts: Facts, anomalies: readonly Anomaly[], limits: Limits | null): string {
  const figures = figuresOf(facts, limits);
  const [worst, ...others] = anomalies;
  if (worst === undefined) return `${isBlind(facts) ? "Nothing wrong in what can be read" : "All well"}: ${figures}`;
  const also = others.slice(0, TOLD - 1).map(({ fact }) => fact);
  const more = others.length - also.length;
  const rest = also.length === 0 ? "" : ` Also: ${also.join("; ")}${more > 0 ? `; ${more} more` : ""}.`;
  return `${worst.severity.toUpperCase()}: ${worst.fact}; next: ${worst.nextCall}.${rest} ${figures}`;
}

/** Where the kernel hides the figures, nobody can say that all is well. */
function isBlind({ cpu, memory, disks }: Facts): boolean {
  return cpu === null || memory === null || disks === null;
}

function figuresOf({ cpu, cores, load, memory, disks }: Facts, limits: Limits | null): string {
  const parts: string[] = [];
  if (cpu !== null) parts.push(`CPU ${percentText(cpu.percent)}${cores === null ? "" : ` of ${cores}`}`);
  if (load !== null) parts.push(`load ${load[0]}`);
  if (memory !== null) parts.push(`RAM ${sizeText(memory.usedBytes)}/${sizeText(memory.totalBytes)}`);
  const { limitBytes, usedBytes } = limits?.group.memory ?? { limitBytes: null, usedBytes: null };
  if (limits?.isLimited === true && limitBytes !== null && usedBytes !== null)
    parts.push(`container ${sizeText(usedBytes)}/${sizeText(limitBytes)}`);
  const fullest = (disks?.disks ?? [])
    .filter(({ kind, mount }) => kind === "disk" && !mount.isReadOnly)
    .toSorted((one, other) => usedPercent(other.space) - usedPercent(one.space))[0];
  if (fullest !== undefined)
    parts.push(`${plainText(fullest.mount.point)} ${percentText(usedPercent(fullest.space))} used`);
  return parts.join(", ");
}
