import { describe, expect, test } from "vitest";
import { seccompFilter } from "../../src/sandbox/seccomp.js";
import { SYSCALLS } from "./syscalls.js";

const ALLOW = "allowed";
const EPERM = 1;
const ENOSYS = 38;

/** No build needs them, and each is a way out or a way to stop the machine. */
const REFUSED =
  words(`mount umount2 pivot_root chroot ptrace process_vm_readv process_vm_writev unshare setns bpf keyctl
  add_key request_key kexec_load kexec_file_load init_module finit_module delete_module perf_event_open open_by_handle_at
  userfaultfd quotactl acct swapon swapoff reboot settimeofday clock_settime clock_adjtime syslog vhangup iopl ioperm`);
/** What no filter can look into, or what mounts in the new way: as if the kernel were older. */
const UNKNOWN =
  words(`clone3 openat2 io_uring_setup io_uring_enter io_uring_register open_tree move_mount fsopen fsconfig
  fsmount fspick mount_setattr quotactl_fd open_tree_attr`);
const NAMESPACES = [0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000];
const [O_CREAT, O_TMPFILE, O_EXCL] = [0o100, 0o20000000, 0o200];

const MACHINES = [
  ["x64", 0, 0xc000003e],
  ["arm64", 1, 0xc00000b7],
] as const;

describe.each(MACHINES)("the filter for %s, run as the kernel runs it", (machine, column, arch) => {
  const filter = seccompFilter(machine) ?? Buffer.alloc(0);
  const has = (name: string): boolean => SYSCALLS[name]?.[column] !== null;
  const call = (name: string, ...args: number[]) => {
    const nr = SYSCALLS[name]?.[column];
    if (nr === undefined || nr === null) throw new Error(`${name} is no call of ${machine}`);
    return run(filter, { arch, nr, args });
  };

  test.each(REFUSED.filter(has))("%s is refused", (name) => expect(call(name)).toBe(EPERM));
  test.each(UNKNOWN.filter(has))("%s is unknown", (name) => expect(call(name)).toBe(ENOSYS));
  test.each(words("read write close execve futex getrandom mmap wait4 connect clone ioctl socket openat"))(
    "%s goes through",
    (name) => expect(call(name)).toBe(ALLOW),
  );

  test("a clone makes processes and threads, and no namespace", () => {
    const [SIGCHLD, THREAD] = [17, 0x3d0f00];
    expect([call("clone", SIGCHLD), call("clone", THREAD)]).toEqual([ALLOW, ALLOW]);
    for (const flag of NAMESPACES) expect(call("clone", SIGCHLD | flag)).toBe(EPERM);
  });

  test("nothing is typed into a terminal, also with bits that the kernel throws away", () => {
    const [TCGETS, TIOCSTI, TIOCLINUX] = [0x5401, 0x5412, 0x541c];
    expect(call("ioctl", 0, TCGETS)).toBe(ALLOW);
    expect([TIOCSTI, TIOCLINUX, TIOCSTI + 2 ** 32].map((request) => call("ioctl", 0, request))).toEqual([
      EPERM,
      EPERM,
      EPERM,
    ]);
  });

  test("sockets of the usual kinds, and none to the kernel's ciphers or to the host of a virtual machine", () => {
    const [UNIX, INET, INET6, NETLINK, ALG, VSOCK] = [1, 2, 10, 16, 38, 40];
    expect([UNIX, INET, INET6, NETLINK].map((family) => call("socket", family))).toEqual([ALLOW, ALLOW, ALLOW, ALLOW]);
    expect([ALG, VSOCK, ALG + 2 ** 32].map((family) => call("socket", family))).toEqual([EPERM, EPERM, EPERM]);
  });

  test.each(
    (
      [
        ["chmod", 1],
        ["fchmod", 1],
        ["fchmodat", 2],
        ["fchmodat2", 2],
        ["creat", 1],
        ["mknod", 1],
        ["mknodat", 2],
      ] as const
    ).filter(([name]) => has(name)),
  )("%s makes no setuid file", (name, at) => {
    const withMode = (mode: number) => call(name, ...Array.from({ length: at }, () => 0), mode);
    expect([withMode(0o755), withMode(0o4755), withMode(0o2755)]).toEqual([ALLOW, EPERM, ALLOW]);
  });

  test.each((["open", "openat"] as const).filter(has))("%s makes no setuid file either", (name) => {
    const opened = (flags: number, mode: number) => call(name, ...(name === "openat" ? [0, 0] : [0]), flags, mode);
    expect([opened(O_CREAT | O_EXCL, 0o4755), opened(O_TMPFILE, 0o4755)]).toEqual([EPERM, EPERM]);
    // Without a file to be made its mode is whatever lay there.
    expect([opened(O_CREAT, 0o755), opened(O_EXCL, 0o4755)]).toEqual([ALLOW, ALLOW]);
  });

  test("calls by the numbers of another machine are unknown", () => {
    const I386 = 0x40000003;
    for (const nr of [0, 1, 21, 165, 40]) expect(run(filter, { arch: I386, nr, args: [] })).toBe(ENOSYS);
    const other = column === 0 ? 0xc00000b7 : 0xc000003e;
    expect(run(filter, { arch: other, nr: 1, args: [] })).toBe(ENOSYS);
    // x32: the other numbering of the same machine.
    if (machine === "x64") expect(run(filter, { arch, nr: 0x40000000 + 165, args: [] })).toBe(ENOSYS);
  });
});

test("a machine without a table has no filter", () => {
  expect(seccompFilter("riscv64")).toBeUndefined();
});

interface Call {
  readonly arch: number;
  readonly nr: number;
  readonly args: readonly number[];
}

/** The classic BPF that filters are written in: one register, jumps forward only. */
function run(filter: Buffer, { arch, nr, args }: Call): number | typeof ALLOW {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(nr, 0);
  data.writeUInt32LE(arch, 4);
  for (const [at, value] of args.entries()) data.writeBigUInt64LE(BigInt(value), 16 + 8 * at);
  let register = 0;
  for (let at = 0; at < filter.length / 8; at += 1) {
    const code = filter.readUInt16LE(8 * at);
    const [yes, no] = [filter.readUInt8(8 * at + 2), filter.readUInt8(8 * at + 3)];
    const k = filter.readUInt32LE(8 * at + 4);
    if (code === 0x20) register = data.readUInt32LE(k);
    else if (code === 0x54) register = (register & k) >>> 0;
    else if (code === 0x15) at += register === k ? yes : no;
    else if (code === 0x35) at += register >= k ? yes : no;
    else if (code === 0x45) at += (register & k) !== 0 ? yes : no;
    else if (code === 0x06) return verdict(k);
    else throw new Error(`no such instruction: ${code}`);
  }
  throw new Error("the filter has no end");
}

function verdict(k: number): number | typeof ALLOW {
  if (k === 0x7fff0000) return ALLOW;
  if (k >>> 16 === 0x0005) return k & 0xffff;
  throw new Error(`no such verdict: ${k}`);
}

function words(text: string): string[] {
  return text.split(/\s+/).filter(Boolean);
}
