import { oneLine } from "./one-line.js";

/** Where a value came from, so that its owner finds it again. */
export interface Origin {
  /** `--set`, `LLMC_ROOTS`, or the file's path. */
  readonly label: string;
  readonly file?: string;
  readonly line?: number;
}

/** A configuration that cannot be served. Its message is one line: an app prints it and exits with 2. */
export class ConfigError extends Error {
  readonly file: string | undefined;
  readonly line: number | undefined;
  readonly key: string | undefined;
  /** Messages, one for each fault; most often only one. */
  readonly problems: readonly string[];

  constructor(
    problem: string,
    { origin, key, cause }: { origin?: Origin | undefined; key?: string; cause?: unknown } = {},
  ) {
    const place = origin && (origin.line === undefined ? origin.label : `${origin.label}:${origin.line}`);
    // `--port` and `mcp.server.port` are both worth saying; `mcp.server.port` twice is not.
    const parts = [place, key === place ? undefined : key, problem];
    super(oneLine(parts.filter((part) => part !== undefined).join(": ")), cause === undefined ? undefined : { cause });
    this.name = "ConfigError";
    this.file = origin?.file;
    this.line = origin?.line;
    this.key = key;
    this.problems = [this.message];
  }

  /** Returns this fault together with the given faults; the message counts those. */
  with(others: readonly ConfigError[]): ConfigError {
    const { message, file, line, key, cause } = this;
    const problems = [this, ...others].flatMap((each) => each.problems);
    const all = new ConfigError(`${message} (and ${problems.length - 1} more)`, { cause });
    return Object.assign(all, { file, line, key, problems });
  }
}
