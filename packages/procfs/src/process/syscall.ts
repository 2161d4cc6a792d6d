/** System call that waits for descriptors, with the arguments that lead to them. */
export type WaitingCall =
  | { readonly kind: "read" | "epoll"; readonly fd: number }
  /** Descriptors in the memory of the process: an array for poll, a set of bits for select. */
  | { readonly kind: "poll" | "select"; readonly count: number; readonly address: number };

type Numbers = Readonly<Record<WaitingCall["kind"], readonly number[]>>;

const GENERIC: Numbers = { read: [63, 65], poll: [73], select: [72], epoll: [22, 441] };
/** Numbers of these calls and their newer forms: readv, ppoll, pselect6, epoll_pwait, epoll_pwait2. */
const CALLS: Readonly<Record<string, Numbers>> = {
  x64: { read: [0, 19], poll: [7, 271], select: [23, 270], epoll: [232, 281, 441] },
  arm64: GENERIC,
  riscv64: GENERIC,
};

/**
 * Parses the text of /proc/PID/syscall: "0 0x0 …" is a read of descriptor 0. Returns null for a call that waits for no
 * descriptor; undefined on a machine with other numbers.
 */
export function waitingCall(text: string, arch: string = process.arch): WaitingCall | null | undefined {
  const calls = CALLS[arch];
  if (calls === undefined) return undefined;
  const [call = "", ...args] = text.split(" ");
  const number = /^\d+$/.test(call) ? Number(call) : -1;
  const [first = 0, second = 0] = args.map(Number);
  if (calls.read.includes(number)) return { kind: "read", fd: first };
  if (calls.epoll.includes(number)) return { kind: "epoll", fd: first };
  if (calls.poll.includes(number)) return { kind: "poll", address: first, count: second };
  return calls.select.includes(number) ? { kind: "select", count: first, address: second } : null;
}
