import { readdirSync, readFileSync } from "node:fs";

const O_CLOEXEC = 0o2000000;

/**
 * Open descriptors above 2 that every program we start would get: those this process was itself given without
 * O_CLOEXEC. Node opens its own with it, and closing one of those aborts the process. Not listed: the sockets that
 * systemd hands over (LISTEN_FDS), and the channel to a Node parent. For a main to close when it starts.
 */
export function inheritedDescriptors(): number[] {
  const wanted = new Set([...systemdSockets(), ...parentChannel()]);
  const leaking = openDescriptors().filter((fd) => fd > 2 && !wanted.has(fd) && isLeaking(fd));
  return leaking.toSorted((a, b) => a - b);
}

function openDescriptors(): number[] {
  try {
    return readdirSync("/proc/self/fd").map(Number);
  } catch {
    return [];
  }
}

function isLeaking(fd: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, "latin1"))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & O_CLOEXEC) === 0;
  } catch {
    // The descriptor of the listing itself: closed by now.
    return false;
  }
}

function systemdSockets(): number[] {
  const { LISTEN_PID, LISTEN_FDS } = process.env;
  const count = Number(LISTEN_FDS);
  if (LISTEN_PID !== String(process.pid) || !Number.isInteger(count) || count < 0) return [];
  return Array.from({ length: Math.min(count, 4096) }, (_, index) => 3 + index);
}

/** Node takes NODE_CHANNEL_FD out of process.env; the environment that the kernel keeps still has it. */
function parentChannel(): number[] {
  if (process.channel === undefined) return [];
  const fd = /(?:^|\0)NODE_CHANNEL_FD=([0-9]+)/.exec(readFileSync("/proc/self/environ", "latin1"))?.[1];
  return fd === undefined ? [] : [Number(fd)];
}
