/** Totals that a test runner printed; null where it printed none. */
export interface Totals {
  readonly passed: number | null;
  readonly failed: number | null;
  readonly errors: number | null;
  readonly skipped: number | null;
}

const NONE: Totals = { passed: null, failed: null, errors: null, skipped: null };

/** Reads the totals; a runner that crashed before its end has none. */
export function totalsOf(runner: string, text: string): Totals {
  return READERS[runner]?.(text) ?? NONE;
}

const READERS: Readonly<Record<string, (text: string) => Totals | undefined>> = {
  pytest: (text) =>
    summed(text, /^=* ?(\d+ [a-z]+.*) in [\d.:]+.*$|^=+ (?:no tests ran|.*(?:passed|failed|error).*) =+$/gm, (line) =>
      words(line, {
        passed: /(\d+) passed/,
        failed: /(\d+) failed/,
        errors: /(\d+) errors?/,
        skipped: /(\d+) skipped/,
      }),
    ),
  unittest: (text) =>
    summed(text, /^Ran \d+ tests? in .*\s+(?:OK|FAILED|NO TESTS RAN)\b.*$/gm, (end) => {
      const ran = Number(/^Ran (\d+)/.exec(end)?.[1]);
      const found = words(end, { failed: /failures=(\d+)/, errors: /errors=(\d+)/, skipped: /skipped=(\d+)/ });
      return { ...found, passed: ran - (found.failed ?? 0) - (found.errors ?? 0) - (found.skipped ?? 0) };
    }),
  jest: (text) =>
    summed(text, /^Tests: +.*$/gm, (line) =>
      words(line, { passed: /(\d+) passed/, failed: /(\d+) failed/, skipped: /(\d+) skipped/ }),
    ),
  vitest: (text) => {
    const found = summed(text, /^ +Tests {2}.*$/gm, (line) =>
      words(line, { passed: /(\d+) passed/, failed: /(\d+) failed/, skipped: /(\d+) skipped/ }),
    );
    // A file that cannot be loaded has no tests of its own.
    const errors = Number(/^⎯+ Failed Suites (\d+)/m.exec(text)?.[1] ?? 0);
    return found && { ...found, errors: text.includes("\n Test Files ") ? errors : null };
  },
  mocha: (text) =>
    summed(text, /^\s+\d+ passing\b.*(?:\n\s*\d+ (?:pending|failing)\b.*)*$/gm, (lines) =>
      words(lines, {
        passed: /^\s+(\d+) passing/m,
        failed: /^\s+(\d+) failing/m,
        skipped: /^\s+(\d+) pending/m,
      }),
    ),
  tap: (text) => fromTap(text, "#"),
  "node --test": (text) => fromTap(text, "ℹ"),
  "go test": (text) => {
    const isBuilt = !/^FAIL\s+\S+ \[(?:build|setup) failed\]/m.test(text);
    if (!isBuilt || /^panic: /m.test(text) || !/^(?:ok|FAIL)\s+\S+/m.test(text)) return undefined;
    const isVerbose = /^=== RUN/m.test(text);
    const count = (verdict: string) => [...text.matchAll(new RegExp(`^\\s*--- ${verdict}: `, "gm"))].length;
    return {
      passed: isVerbose ? count("PASS") : null,
      failed: count("FAIL"),
      errors: 0,
      skipped: isVerbose ? count("SKIP") : null,
    };
  },
  "cargo test": (text) => {
    const lines = [...text.matchAll(/^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored/gm)];
    if (lines.length === 0) return undefined;
    const sum = (at: number) => lines.reduce((total, found) => total + Number(found[at]), 0);
    return { passed: sum(1), failed: sum(2), errors: 0, skipped: sum(3) };
  },
  ctest: (text) => {
    const [, failed, all] = /^\d+% tests passed, (\d+) tests? failed out of (\d+)/m.exec(text) ?? [];
    if (failed === undefined) return undefined;
    return { passed: Number(all) - Number(failed), failed: Number(failed), errors: 0, skipped: 0 };
  },
  maven: (text) => {
    const line = lastMatch(text, /Tests run: \d+, Failures: \d+, Errors: \d+, Skipped: \d+/g);
    if (line === undefined) return undefined;
    const found = words(line, { failed: /Failures: (\d+)/, errors: /Errors: (\d+)/, skipped: /Skipped: (\d+)/ });
    const run = Number(/run: (\d+)/.exec(line)?.[1]);
    return { ...found, passed: run - (found.failed ?? 0) - (found.errors ?? 0) - (found.skipped ?? 0) };
  },
  gradle: (text) => {
    const [, all, failed = "0", skipped = "0"] =
      /(\d+) tests completed(?:, (\d+) failed)?(?:, (\d+) skipped)?/.exec(text) ?? [];
    if (all === undefined) return undefined;
    const [bad, left] = [Number(failed), Number(skipped)];
    return { passed: Number(all) - bad - left, failed: bad, errors: 0, skipped: left };
  },
};

function fromTap(text: string, mark: string): Totals | undefined {
  const count = (name: string) => new RegExp(`^${mark} ${name}\\s+(\\d+)`, "m").exec(text)?.[1];
  const passed = count("pass");
  if (passed === undefined) return undefined;
  return {
    passed: Number(passed),
    failed: Number(count("fail") ?? 0),
    errors: Number(count("cancelled") ?? 0),
    skipped: Number(count("skip(?:ped)?") ?? 0),
  };
}

/** Adds up the totals of several runs, such as those of a script or of workspaces. */
function summed(text: string, pattern: RegExp, read: (found: string) => Totals): Totals | undefined {
  const all = [...text.matchAll(pattern)].map(([found]) => read(found));
  const sum = (name: keyof Totals) => all.reduce((total, each) => total + (each[name] ?? 0), 0);
  if (all.length === 0) return undefined;
  return { passed: sum("passed"), failed: sum("failed"), errors: sum("errors"), skipped: sum("skipped") };
}

type Patterns = { readonly [Key in keyof Totals]?: RegExp };

/** Takes a total that the line does not name as zero. */
function words(line: string, patterns: Patterns): Totals {
  const of = (pattern: RegExp | undefined) => (pattern === undefined ? 0 : Number(pattern.exec(line)?.[1] ?? 0));
  return {
    passed: of(patterns.passed),
    failed: of(patterns.failed),
    errors: of(patterns.errors),
    skipped: of(patterns.skipped),
  };
}

function lastMatch(text: string, pattern: RegExp): string | undefined {
  return [...text.matchAll(pattern)].at(-1)?.[0];
}
