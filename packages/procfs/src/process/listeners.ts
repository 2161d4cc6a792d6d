import type { KernelFiles } from "../read/kernel-files.js";
import { sliced, type Slices } from "../read/sliced.js";

export interface Listener {
  readonly protocol: "tcp" | "udp";
  /** As text, without brackets. */
  readonly address: string;
  readonly port: number;
  /** Whose socket it is. */
  readonly uid: number;
  /** Those that hold it; empty where none may be looked into. */
  readonly pids: readonly number[];
}

interface Socket extends Omit<Listener, "pids"> {
  readonly inode: string;
}

const TABLES = [
  { file: "tcp", protocol: "tcp", state: "0A" },
  { file: "tcp6", protocol: "tcp", state: "0A" },
  // A UDP socket that is bound and not connected.
  { file: "udp", protocol: "udp", state: "07" },
  { file: "udp6", protocol: "udp", state: "07" },
] as const;
const SOCKET = /^socket:\[(\d+)\]$/;

export async function readListeners(
  root: string,
  files: KernelFiles,
  pids: readonly number[],
  slices: Slices,
): Promise<Listener[]> {
  const sockets = TABLES.flatMap((table) => socketsIn(files.text(`${root}/net/${table.file}`) ?? "", table));
  const holders = new Map<string, number[]>(sockets.map(({ inode }) => [inode, []]));
  if (sockets.length > 0) await sliced(pids, slices, (pid) => noteSockets(files, `${root}/${pid}/fd`, pid, holders));
  return sockets
    .map(({ inode, ...socket }) => ({ ...socket, pids: [...new Set(holders.get(inode))] }))
    .toSorted((one, other) => one.port - other.port || one.protocol.localeCompare(other.protocol));
}

function noteSockets(files: KernelFiles, folder: string, pid: number, holders: Map<string, number[]>): void {
  for (const fd of files.names(folder) ?? []) {
    const inode = SOCKET.exec(files.link(`${folder}/${fd}`) ?? "")?.[1];
    if (inode !== undefined) holders.get(inode)?.push(pid);
  }
}

function socketsIn(text: string, { protocol, state }: (typeof TABLES)[number]): Socket[] {
  const sockets: Socket[] = [];
  for (const line of text.split("\n").slice(1)) {
    const [, local = "", remote = "", found, , , , uid = "", , inode = ""] = line.trim().split(/\s+/);
    const [address = "", port = ""] = local.split(":");
    if (found !== state || inode === "" || !/^0+:0+$/.test(remote)) continue;
    sockets.push({
      protocol,
      address: address.length > 8 ? addressOf6(address) : addressOf4(address),
      port: Number.parseInt(port, 16),
      uid: Number(uid),
      inode,
    });
  }
  return sockets;
}

/** Four bytes in the machine's order, which is little-endian wherever Node runs on Linux but on s390x. */
function wordBytes(hex: string): number[] {
  const bytes = [...Buffer.from(hex, "hex")];
  return LITTLE_ENDIAN ? bytes.toReversed() : bytes;
}

const LITTLE_ENDIAN = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

function addressOf4(hex: string): string {
  return wordBytes(hex).join(".");
}

function addressOf6(hex: string): string {
  const bytes = (hex.match(/.{8}/g) ?? []).flatMap(wordBytes);
  if (isMapped(bytes)) return bytes.slice(12).join(".");
  const groups = Array.from({ length: 8 }, (_, at) =>
    (((bytes[2 * at] ?? 0) << 8) | (bytes[2 * at + 1] ?? 0)).toString(16),
  );
  return shorten(groups);
}

function isMapped(bytes: readonly number[]): boolean {
  return bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 0xff && bytes[11] === 0xff;
}

/** The longest run of two or more zeros, the first of equals, becomes "::". */
function shorten(groups: readonly string[]): string {
  const runs = [...groups.join(":").matchAll(/(?:^|(?<=:))0(?::0)+(?=:|$)/g)];
  const longest = runs.toSorted((one, other) => other[0].length - one[0].length)[0];
  if (longest === undefined) return groups.join(":");
  const text = groups.join(":");
  const before = text.slice(0, longest.index).replace(/:$/, "");
  const after = text.slice(longest.index + longest[0].length).replace(/^:/, "");
  return `${before}::${after}`;
}
