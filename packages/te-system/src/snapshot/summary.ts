import { usedPercent } from "../disks/space.js";
import type { Facts } from "../look/facts.js";
import type { Limits } from "../look/limits.js";
import { percentText, plainText, sizeText } from "../wrong/text.js";
import type { Anomaly } from "../wrong/anomaly.js";

const TOLD = 3;

/** Parts of a one-line summary of the machine. The surface adds its next call to the headline. */
export interface Summary {
  /** The worst fact, or that all is well. */
  readonly headline: string;
  /** Further facts, and how many are left out. */
  readonly also: readonly string[];
  readonly figures: string;
}

export function summarize(facts: Facts, anomalies: readonly Anomaly[], limits: Limits | null): Summary {
  const figures = figuresOf(facts, limits);
  const [worst, ...others] = anomalies;
  if (worst === undefined)
    return { headline: isBlind(facts) ? "Nothing wrong in what can be read" : "All well", also: [], figures };
  const also = others.slice(0, TOLD - 1).map(({ fact }) => fact);
  const more = others.length - also.length;
  return {
    headline: `${worst.severity.toUpperCase()}: ${worst.fact}`,
    also: more > 0 ? [...also, `${more} more`] : also,
    figures,
  };
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
