/** Something that is wrong: what it is, why most likely, and what to ask next. */
export interface Anomaly {
  readonly severity: "critical" | "warning";
  /** What it is about, for whoever looks for those that belong to it. */
  readonly kind: "cpu" | "memory" | "disk" | "pressure" | "process" | "limit" | "mount" | "service" | "network";
  readonly fact: string;
  readonly likelyCause: string;
  readonly nextCall: string;
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

/** A call as a model writes it. */
export function call(tool: string, args: Readonly<Record<string, unknown>> = {}): string {
  return `${tool} ${JSON.stringify(args)}`;
}
