import { onTestFinished } from "vitest";
import { Boundaries, type Boundary } from "../../src/boundary/boundary.js";
import type { Syscall, Work } from "../../src/kernel/syscalls.js";
import { openScope, type ScopeOptions } from "../../src/scope/open-scope.js";
import { runWatched } from "../run-here.js";

/** Boundaries of one root, closed after the test. `before` sees each system call just before it is made. */
export function boundariesOf(
  root: string,
  { before, ...options }: Partial<ScopeOptions> & { readonly before?: (call: Syscall) => void } = {},
): Boundaries {
  const scope = openScope({ roots: [root], home: "/nonexistent-home", homes: [], ...options });
  const ended = new AbortController();
  onTestFinished(() => {
    ended.abort();
    scope.close();
  });
  if (before === undefined) return new Boundaries(scope, ended.signal);
  const run = <T>(work: Work<T>) => Promise.resolve(runWatched(work, before));
  return new Boundaries({ ...scope, run }, ended.signal);
}

/** The guarded paths below the root, sorted. */
export function guardedIn({ guarded }: Boundary, root: string): string[] {
  return guarded.map(({ path }) => path.slice(root.length + 1)).toSorted();
}
