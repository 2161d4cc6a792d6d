import { InvalidArgumentError } from "@llmc/errors";
import type { StdinSource } from "../streams/stdin.js";
import type { TakeChunk } from "../streams/output.js";
import type { Pipes } from "../streams/pipe.js";

/** What setTimeout can hold; above it fires at once. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

export interface RunOptions {
  cwd?: string;
  /** Added on top of the built environment, unfiltered: our own choice for this program. */
  env?: Readonly<Record<string, string>>;
  /** Where the allowed names are taken from; default process.env. */
  baseEnv?: Readonly<Record<string, string | undefined>>;
  /** Without it the program's stdin is /dev/null. An iterable is asked for more when the program has taken the last. */
  stdin?: StdinSource;
  /** Descriptors of ours that the program gets as its 3 and 4. They stay open here. */
  third?: number;
  fourth?: number;
  /** Bytes kept of each stream, from its beginning. What comes after is read and counted. */
  maxBytes: number;
  timeoutMs: number;
  signal?: AbortSignal;
  /** Takes stdout as it comes; then none of it is kept. The next chunk waits for the promise; "stop" ends the program. */
  onStdout?: TakeChunk;
  /** The same for stderr. */
  onStderr?: TakeChunk;
  /** Reads at most once a millisecond while pieces are small, for a program that prints thousands. */
  throttlesReads?: boolean;
  /** Pipes for stderr of a program that writes tiny pieces. If no pipe is free, reads of stderr are not throttled. */
  pipes?: Pipes;
  /** Ends the program once `maxBytes` of stdout are kept. */
  stopAtMax?: boolean;
}

export function checkRun(argv: readonly string[], options: RunOptions): void {
  if (argv[0] === undefined || argv[0] === "") throw new InvalidArgumentError("The name of the program is empty");
  if (argv[0].includes("/") && !argv[0].startsWith("/")) {
    throw new InvalidArgumentError(
      `${JSON.stringify(argv[0])} is relative to the working folder`,
      "Give an absolute path, or a name without a slash.",
    );
  }
  const nul = argv.findIndex((argument) => argument.includes("\0"));
  if (nul !== -1) throw new InvalidArgumentError(`Argument ${nul} of ${JSON.stringify(argv[0])} holds a NUL character`);
  if (options.cwd?.includes("\0") === true) throw new InvalidArgumentError("cwd holds a NUL character");
  checkBounds(options);
}

function checkBounds({ maxBytes, timeoutMs, onStdout, stopAtMax, third, fourth }: RunOptions): void {
  for (const fd of [third, fourth]) {
    if (fd !== undefined && !(Number.isInteger(fd) && fd >= 0)) {
      throw new InvalidArgumentError(`${fd} is not an open descriptor`);
    }
  }
  if (!Number.isSafeInteger(maxBytes) || maxBytes < 0) {
    throw new InvalidArgumentError(`maxBytes is ${maxBytes}, not an integer from 0`);
  }
  if (!(timeoutMs > 0 && timeoutMs <= MAX_TIMEOUT_MS)) {
    throw new InvalidArgumentError(`timeoutMs is ${timeoutMs}, not a number from 1 to ${MAX_TIMEOUT_MS}`);
  }
  if (stopAtMax === true && onStdout !== undefined) {
    throw new InvalidArgumentError("stopAtMax has no meaning with onStdout: nothing is kept", 'Return "stop" instead.');
  }
}
