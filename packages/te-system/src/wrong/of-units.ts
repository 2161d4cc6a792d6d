import type { Facts } from "../look/facts.js";
import type { Anomaly } from "./anomaly.js";

const NAMED = 3;

export function ofUnits({ failedUnits }: Facts): Anomaly[] {
  const [first] = failedUnits;
  if (first === undefined) return [];
  const more = failedUnits.length - NAMED;
  const names = `${failedUnits.slice(0, NAMED).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  return [
    {
      severity: "warning",
      kind: "service",
      fact: `${failedUnits.length} unit${failedUnits.length === 1 ? " has" : "s have"} failed: ${names}`,
      likelyCause: "its program ended, or could not be started",
      nextStep: { id: "service", name: first },
    },
  ];
}
