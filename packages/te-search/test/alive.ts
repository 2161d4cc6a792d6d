import { readdirSync, readFileSync } from "node:fs";

const ENGINES = /^(?:rg|grep|xargs|bwrap|fd|fdfind)$/;

/** Engines that still run below this process. */
export function enginesAlive(): string[] {
  return programsAlive(ENGINES).map(({ pid, name, state }) => `${pid} ${name} ${state}`);
}

interface Alive {
  readonly pid: number;
  readonly name: string;
  readonly state: string;
}

export function programsAlive(names: RegExp): Alive[] {
  const alive: Alive[] = [];
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
      const [, name = "", state = "", parent = ""] = /^\d+ \((.*)\) (\S) (\d+)/s.exec(stat) ?? [];
      if (!names.test(name) || state === "Z") continue;
      if (isBelowUs(Number(parent))) alive.push({ pid: Number(pid), name, state });
    } catch {
      // It ended meanwhile.
    }
  }
  return alive;
}

function isBelowUs(pid: number): boolean {
  for (let at = pid; at > 1;) {
    if (at === process.pid) return true;
    at = Number(/^\d+ \(.*\) \S (\d+)/s.exec(readFileSync(`/proc/${at}/stat`, "latin1"))?.[1] ?? 0);
  }
  return false;
}

/** What is promised of a search that is cancelled. */
export const GONE_WITHIN_MS = 100;
const TRIES = 5;

/**
 * The quickest of some: how long it takes from the cancel until the search has ended and nothing of it is left. The
 * others may have had to wait for a processor. `begin` gets the cancel, to be called when the search is under way.
 */
export async function msUntilGone(
  begin: (cancel: { readonly signal: AbortSignal; now(): void }) => Promise<unknown>,
): Promise<number> {
  let quickest = Number.POSITIVE_INFINITY;
  for (let nth = 0; nth < TRIES; nth += 1) {
    const controller = new AbortController();
    let at = Number.NaN;
    const now = (): void => {
      if (Number.isNaN(at)) at = performance.now();
      controller.abort();
    };
    await begin({ signal: controller.signal, now });
    const left = enginesAlive();
    if (left.length > 0) throw new Error(`left: ${left.join(", ")}`);
    // One that was through before it could be cancelled says nothing.
    if (!Number.isNaN(at)) quickest = Math.min(quickest, performance.now() - at);
  }
  return quickest;
}
