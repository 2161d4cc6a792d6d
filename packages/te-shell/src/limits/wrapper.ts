/** What the kernel takes first when memory runs out: a command before us. */
const OOM_SCORE_ADJ = 500;
/** Blocks of `ulimit -f`, as POSIX has them. */
const BLOCK_BYTES = 512;

export interface Bounds {
  readonly maxFileBytes: number;
  readonly maxOpenFiles: number;
  /** Files of cgroups to which the command writes itself. */
  readonly joins: readonly string[];
}

export interface Wrapped {
  readonly file: string;
  readonly args: readonly string[];
}

/**
 * The command behind a few lines of shell that bound the process and then become it. Only a process itself can do so
 * before it runs, and Node has no call for it. `open`: files by the descriptor at which they are opened for reading.
 * `redirection`: further descriptors of the command, in shell syntax.
 */
export function wrap(
  argv: readonly string[],
  bounds: Bounds,
  open: Readonly<Record<number, string>> = {},
  redirection = "",
): Wrapped {
  const { maxFileBytes, maxOpenFiles, joins } = bounds;
  const script = [
    `{ echo ${OOM_SCORE_ADJ} >/proc/self/oom_score_adj; ulimit -f ${Math.ceil(maxFileBytes / BLOCK_BYTES)}; ulimit -n ${maxOpenFiles}; } 2>/dev/null`,
    // Where it cannot join it does not run: a bound that is lost in silence is none.
    ...joins.map((file) => `echo 0 >${quote(file)} || exit 125`),
    ...Object.entries(open).map(([fd, file]) => `exec ${fd}<${quote(file)}`),
    `exec "$@" ${redirection}`,
  ];
  return { file: "/bin/sh", args: ["-c", script.join("\n"), "sh", ...argv] };
}

/** One word, whatever is in it. */
export function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
