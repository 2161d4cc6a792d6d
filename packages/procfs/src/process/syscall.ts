interface Calls {
  /** Their first argument is the descriptor. */
  readonly reads: readonly number[];
  /** Their first argument is one more than the highest descriptor they wait for. */
  readonly selects: readonly number[];
}

/** By the numbers of the kernel: read and readv, select and pselect6. */
const CALLS: Readonly<Record<string, Calls>> = {
  x64: { reads: [0, 19], selects: [23, 270] },
  arm64: { reads: [63, 65], selects: [72] },
  riscv64: { reads: [63, 65], selects: [72] },
};

/** By the text of /proc/PID/syscall: "0 0x0 …" is a read of descriptor 0; undefined for a machine of other numbers. */
export function isReadOfInput(text: string, arch: string = process.arch): boolean | undefined {
  const calls = CALLS[arch];
  if (calls === undefined) return undefined;
  const [call, first] = text.split(" ", 2);
  const argument = Number(first);
  return (
    (calls.reads.includes(Number(call)) && argument === 0) || (calls.selects.includes(Number(call)) && argument === 1)
  );
}
