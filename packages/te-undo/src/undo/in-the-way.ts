import { type Bytes, show } from "@llmc/names";

/** What keeps a step from being taken back. `remedy` is what the caller can do first, as the beginning of a sentence. */
export class InTheWay extends Error {
  readonly path: string;
  readonly problem: string;
  readonly remedy: string | undefined;
  /** Whether somebody may have changed the path with another change of the journal. */
  readonly isChange: boolean;

  constructor(path: Bytes, problem: string, { remedy, isChange }: { remedy?: string; isChange?: boolean } = {}) {
    super(`${show(path)} ${problem}`);
    this.path = show(path);
    this.problem = problem;
    this.remedy = remedy;
    this.isChange = isChange ?? false;
  }
}

export function changed(path: Bytes, problem = "was changed since"): InTheWay {
  return new InTheWay(path, problem, { isChange: true });
}

export function occupied(path: Bytes): InTheWay {
  return new InTheWay(path, "is there again", { remedy: `Move or delete ${show(path)}`, isChange: true });
}
