import { type Bytes, displayPath } from "@llmc/names";

/** What keeps a step from being taken back. `remedy` is what the caller can do first, as the beginning of a sentence. */
export class Conflict extends Error {
  readonly path: string;
  readonly problem: string;
  readonly remedy: string | undefined;
  /** Whether somebody may have changed the path with another change of the journal. */
  readonly isChange: boolean;

  constructor(path: Bytes, problem: string, { remedy, isChange }: { remedy?: string; isChange?: boolean } = {}) {
    super(`${displayPath(path)} ${problem}`);
    this.path = displayPath(path);
    this.problem = problem;
    this.remedy = remedy;
    this.isChange = isChange ?? false;
  }
}

export function changed(path: Bytes, problem = "was changed since"): Conflict {
  return new Conflict(path, problem, { isChange: true });
}

export function occupied(path: Bytes): Conflict {
  return new Conflict(path, "is there again", { remedy: `Move or delete ${displayPath(path)}`, isChange: true });
}
