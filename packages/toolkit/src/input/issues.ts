import type { z } from "zod";

export type Issue = z.core.$ZodIssue;

/** Of a union the issues of the one choice that the value got into: what is wrong in there is what is wrong. */
export function flatIssues(issues: readonly Issue[]): readonly Issue[] {
  return issues.flatMap((issue) => {
    if (issue.code !== "invalid_union") return [issue];
    const entered = issue.errors.find((choice) => choice.every(isInside));
    return entered === undefined
      ? [issue]
      : flatIssues(entered.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] })));
  });
}

/** Of a value that is of the right kind as a whole. */
const OF_THE_KIND: ReadonlySet<string> = new Set(["unrecognized_keys", "too_big", "too_small"]);

function isInside({ path, code }: Issue): boolean {
  return path.length > 0 || OF_THE_KIND.has(code ?? "");
}
