/** Next step after an anomaly, as an id with its facts. The surface that answers names its own call for each step. */
export type NextStep =
  | { readonly id: "busiest-processes" }
  | { readonly id: "largest-processes" }
  | { readonly id: "processes-named"; readonly name: string }
  | { readonly id: "process-tree"; readonly pid?: number }
  | { readonly id: "list-folder"; readonly path: string }
  | { readonly id: "large-files"; readonly below: string }
  /** Searches the kernel's log; `with` is several texts separated by bars. */
  | { readonly id: "kernel-log"; readonly with: string }
  | { readonly id: "cores" }
  | { readonly id: "mounts" }
  | { readonly id: "service"; readonly name: string };

/** Something that is wrong: what it is, why most likely, and what to ask next. */
export interface Anomaly {
  readonly severity: "critical" | "warning";
  /** What it is about, for whoever looks for those that belong to it. */
  readonly kind: "cpu" | "memory" | "disk" | "pressure" | "process" | "limit" | "mount" | "service" | "network";
  readonly fact: string;
  readonly likelyCause: string;
  readonly nextStep: NextStep;
}

export interface Thresholds {
  readonly cpuPercent: number;
  readonly loadPerCore: number;
  readonly memoryPercent: number;
  readonly swapPercent: number;
  readonly diskPercent: number;
  readonly inodesPercent: number;
  readonly pressurePercent: number;
}

/** Half of the way from where it becomes wrong to where nothing is left. */
export function severityOf(percent: number, threshold: number): Anomaly["severity"] {
  return percent >= threshold + (100 - threshold) / 2 ? "critical" : "warning";
}

/** The worst first, in the order of finding otherwise. */
export function worstFirst(anomalies: readonly Anomaly[]): Anomaly[] {
  return anomalies.toSorted(
    (one, other) => Number(other.severity === "critical") - Number(one.severity === "critical"),
  );
}
