const EPERM = 1;
const ENOSYS = 38;

const RET_ALLOW = 0x7fff0000;
const RET_ERRNO = 0x00050000;
const LOAD = 0x20;
const JUMP_EQUAL = 0x15;
const JUMP_FROM = 0x35;
const JUMP_ANY_BIT = 0x45;
const AND = 0x54;
const RETURN = 0x06;

// struct seccomp_data: nr, arch, instruction pointer, six arguments of eight bytes. Both machines are little-endian.
const NR = 0;
const ARCH = 4;
const argument = (index: number): number => 16 + 8 * index;

/** CLONE_NEW*: namespace of its own of any kind. */
const NEW_NAMESPACES = 0x7e020000;
const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;
const AF_ALG = 38;
const AF_VSOCK = 40;

type Names =
  | "clone"
  | "clone3"
  | "ioctl"
  | "socket"
  | "mount"
  | "umount2"
  | "pivot_root"
  | "chroot"
  | "ptrace"
  | "process_vm_readv"
  | "process_vm_writev"
  | "unshare"
  | "setns"
  | "bpf"
  | "keyctl"
  | "add_key"
  | "request_key"
  | "kexec_load"
  | "kexec_file_load"
  | "init_module"
  | "finit_module"
  | "delete_module"
  | "perf_event_open"
  | "open_by_handle_at"
  | "userfaultfd"
  | "quotactl"
  | "acct"
  | "swapon"
  | "swapoff"
  | "reboot"
  | "settimeofday"
  | "clock_settime"
  | "clock_adjtime"
  | "syslog"
  | "vhangup";

/** Calls that came after both tables were joined: one number for every machine. Refused as if the kernel were older. */
const UNKNOWN = [425, 426, 427, 428, 429, 430, 431, 432, 433, 442, 443, 467];
/** Its mode lies in memory, where no filter can read it. */
const OPENAT2 = 437;
const FCHMODAT2 = 452;
const S_ISUID = 0o4000;
const O_CREAT = 0o100;
const O_TMPFILE = 0o20000000;

interface Machine {
  /** AUDIT_ARCH_*. */
  readonly arch: number;
  readonly numbers: Readonly<Record<Names, number>>;
  /** Calls only this machine has: iopl, ioperm. */
  readonly more: readonly number[];
  /** Calls that give a file its mode, and which argument that is: chmod, fchmod, fchmodat, creat, mknod, mknodat. */
  readonly modes: readonly (readonly [nr: number, mode: number])[];
  /** Calls that may make a file: open, openat. The mode means something only then. */
  readonly opens: readonly (readonly [nr: number, flags: number, mode: number])[];
}

const X64: Machine = {
  arch: 0xc000003e,
  numbers: {
    clone: 56,
    clone3: 435,
    ioctl: 16,
    socket: 41,
    mount: 165,
    umount2: 166,
    pivot_root: 155,
    chroot: 161,
    ptrace: 101,
    process_vm_readv: 310,
    process_vm_writev: 311,
    unshare: 272,
    setns: 308,
    bpf: 321,
    keyctl: 250,
    add_key: 248,
    request_key: 249,
    kexec_load: 246,
    kexec_file_load: 320,
    init_module: 175,
    finit_module: 313,
    delete_module: 176,
    perf_event_open: 298,
    open_by_handle_at: 304,
    userfaultfd: 323,
    quotactl: 179,
    acct: 163,
    swapon: 167,
    swapoff: 168,
    reboot: 169,
    settimeofday: 164,
    clock_settime: 227,
    clock_adjtime: 305,
    syslog: 103,
    vhangup: 153,
  },
  more: [172, 173],
  modes: [
    [90, 1],
    [91, 1],
    [268, 2],
    [85, 1],
    [133, 1],
    [259, 2],
  ],
  opens: [
    [2, 1, 2],
    [257, 2, 3],
  ],
};

const ARM64: Machine = {
  arch: 0xc00000b7,
  numbers: {
    clone: 220,
    clone3: 435,
    ioctl: 29,
    socket: 198,
    mount: 40,
    umount2: 39,
    pivot_root: 41,
    chroot: 51,
    ptrace: 117,
    process_vm_readv: 270,
    process_vm_writev: 271,
    unshare: 97,
    setns: 268,
    bpf: 280,
    keyctl: 219,
    add_key: 217,
    request_key: 218,
    kexec_load: 104,
    kexec_file_load: 294,
    init_module: 105,
    finit_module: 273,
    delete_module: 106,
    perf_event_open: 241,
    open_by_handle_at: 265,
    userfaultfd: 282,
    quotactl: 60,
    acct: 89,
    swapon: 224,
    swapoff: 225,
    reboot: 142,
    settimeofday: 170,
    clock_settime: 112,
    clock_adjtime: 266,
    syslog: 116,
    vhangup: 58,
  },
  more: [],
  modes: [
    [52, 1],
    [53, 2],
    [33, 2],
  ],
  opens: [[56, 2, 3]],
};

/** The filter for bubblewrap's --seccomp; undefined for a machine that we have no table of. */
export function seccompFilter(machine: string = process.arch): Buffer | undefined {
  const found = machine === "x64" ? X64 : machine === "arm64" ? ARM64 : undefined;
  return found === undefined ? undefined : assemble(program(found, machine === "x64"));
}

type Instruction = readonly [code: number, jumpTrue: number, jumpFalse: number, k: number];

function program({ arch, numbers, more, modes, opens }: Machine, hasX32: boolean): Instruction[] {
  const { clone, clone3, ioctl, socket, ...refused } = numbers;
  return [
    [LOAD, 0, 0, ARCH],
    // Calls of another machine (32 bits) have other numbers: none is taken.
    [JUMP_EQUAL, 1, 0, arch],
    [RETURN, 0, 0, RET_ERRNO | ENOSYS],
    [LOAD, 0, 0, NR],
    ...(hasX32
      ? ([
          [JUMP_FROM, 0, 1, 0x40000000],
          [RETURN, 0, 0, RET_ERRNO | ENOSYS],
        ] as const)
      : []),
    // The C library falls back from clone3, whose flags no filter can read, to clone.
    ...[clone3, OPENAT2, ...UNKNOWN].flatMap((nr) => refuse(nr, ENOSYS)),
    ...[...Object.values(refused), ...more].flatMap((nr) => refuse(nr, EPERM)),
    ...ifCall(clone, [
      [LOAD, 0, 0, argument(0)],
      [JUMP_ANY_BIT, 0, 1, NEW_NAMESPACES],
      [RETURN, 0, 0, RET_ERRNO | EPERM],
    ]),
    ...ifCall(ioctl, [
      [LOAD, 0, 0, argument(1)],
      [JUMP_EQUAL, 1, 0, TIOCSTI],
      [JUMP_EQUAL, 0, 1, TIOCLINUX],
      [RETURN, 0, 0, RET_ERRNO | EPERM],
    ]),
    ...ifCall(socket, [
      [LOAD, 0, 0, argument(0)],
      [AND, 0, 0, 0xffffffff],
      [JUMP_EQUAL, 1, 0, AF_ALG],
      [JUMP_EQUAL, 0, 1, AF_VSOCK],
      [RETURN, 0, 0, RET_ERRNO | EPERM],
    ]),
    // A setuid file of root's in a root would be a way up for everybody outside.
    ...[...modes, [FCHMODAT2, 2] as const].flatMap(([nr, mode]) => ifCall(nr, refuseSetuid(mode))),
    ...opens.flatMap(([nr, flags, mode]) =>
      ifCall(nr, [[LOAD, 0, 0, argument(flags)], [JUMP_ANY_BIT, 0, 3, O_CREAT | O_TMPFILE], ...refuseSetuid(mode)]),
    ),
    [RETURN, 0, 0, RET_ALLOW],
  ];
}

function refuseSetuid(mode: number): Instruction[] {
  return [
    [LOAD, 0, 0, argument(mode)],
    [JUMP_ANY_BIT, 0, 1, S_ISUID],
    [RETURN, 0, 0, RET_ERRNO | EPERM],
  ];
}

function refuse(nr: number, errno: number): Instruction[] {
  return [
    [JUMP_EQUAL, 0, 1, nr],
    [RETURN, 0, 0, RET_ERRNO | errno],
  ];
}

function ifCall(nr: number, body: readonly Instruction[]): Instruction[] {
  return [[JUMP_EQUAL, 0, body.length + 1, nr], ...body, [RETURN, 0, 0, RET_ALLOW]];
}

function assemble(instructions: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(8 * instructions.length);
  for (const [index, [code, jumpTrue, jumpFalse, k]] of instructions.entries()) {
    bytes.writeUInt16LE(code, 8 * index);
    bytes.writeUInt8(jumpTrue, 8 * index + 2);
    bytes.writeUInt8(jumpFalse, 8 * index + 3);
    bytes.writeUInt32LE(k >>> 0, 8 * index + 4);
  }
  return bytes;
}
