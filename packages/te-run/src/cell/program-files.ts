import { statSync } from "node:fs";
import { open, realpath } from "node:fs/promises";
import { EngineUnavailableError } from "@llmc/errors";
import { run } from "../run/run.js";

/** Paths that a program needs to run; where they cannot be told, the system's folders. */
export interface ProgramFiles {
  readonly files: readonly string[];
  /** Bound where they exist: what a loader or a C library looks for by itself. */
  readonly optional: readonly string[];
  /** It needs nothing but itself, wherever it lies. */
  readonly isAlone: boolean;
}

const SYSTEM = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store"];
/** Where the loader looks for libraries, and what C.UTF-8 is: without it grep takes a letter for two bytes. */
const OF_DYNAMIC = ["/etc/ld.so.cache", "/usr/lib/locale"];
/** Engines are few; whoever has more is asked anew. */
const MAX_KNOWN = 64;

const known = new Map<string, Promise<ProgramFiles>>();

/** What a program needs, looked up once for each state of its file. */
export async function filesOf(program: string): Promise<ProgramFiles> {
  // Here and now, as the spawn that follows will look for it.
  const found = statSync(program, { throwIfNoEntry: false });
  if (found === undefined) throw new EngineUnavailableError(program, "no such program", "Install it again.");
  const { dev, ino, size, mtimeMs } = found;
  const key = [program, dev, ino, size, mtimeMs].join("\0");
  const before = known.get(key);
  if (before !== undefined) return before;
  if (known.size >= MAX_KNOWN) known.clear();
  const asked = lookUp(program);
  known.set(key, asked);
  return asked;
}

async function lookUp(program: string): Promise<ProgramFiles> {
  const loader = await loaderOf(program);
  if (loader === null) return { files: [program], optional: [], isAlone: true };
  const libraries = loader === undefined ? undefined : await listed(loader, program);
  if (loader === undefined || libraries === undefined)
    return { files: [program], optional: [...SYSTEM, ...OF_DYNAMIC], isAlone: false };
  return { files: [...new Set([program, loader, ...libraries])], optional: OF_DYNAMIC, isAlone: false };
}

/** The libraries as the loader finds them. It runs nothing of the program's own. */
async function listed(loader: string, program: string): Promise<string[] | undefined> {
  const bounds = { maxBytes: 256 * 1024, timeoutMs: 20_000, baseEnv: {} };
  const { stdout, exitCode } = await run([loader, "--list", await realpath(program)], bounds);
  if (exitCode !== 0) return undefined;
  return [...stdout.toString().matchAll(/(?:^|=>)\s*(\/[^\n]*?) \(0x[0-9a-f]+\)$/gm)].flatMap(
    (match) => match[1] ?? [],
  );
}

/** null: the program needs no loader; undefined: it is no program in ELF, but perhaps a script. */
async function loaderOf(program: string): Promise<string | null | undefined> {
  await using file = await open(program, "r");
  const head = Buffer.alloc(64);
  await file.read(head, 0, head.length, 0);
  if (head.toString("latin1", 0, 4) !== "\x7fELF") return undefined;
  const is64 = head[4] === 2;
  const isLittle = head[5] === 1;
  const short = (from: Buffer, at: number): number => (isLittle ? from.readUInt16LE(at) : from.readUInt16BE(at));
  const word = (from: Buffer, at: number): number => (isLittle ? from.readUInt32LE(at) : from.readUInt32BE(at));
  const long = (from: Buffer, at: number): number =>
    Number(isLittle ? from.readBigUInt64LE(at) : from.readBigUInt64BE(at));
  const address = is64 ? long : word;

  const size = short(head, is64 ? 54 : 42);
  const table = Buffer.alloc(size * short(head, is64 ? 56 : 44));
  await file.read(table, 0, table.length, address(head, is64 ? 32 : 28));
  for (let at = 0; at + size <= table.length && size > 0; at += size) {
    if (word(table, at) !== PT_INTERP) continue;
    const name = Buffer.alloc(Math.min(address(table, at + (is64 ? 32 : 16)), 4096));
    await file.read(name, 0, name.length, address(table, at + (is64 ? 8 : 4)));
    return name.toString("latin1").replace(/\0.*$/s, "");
  }
  return null;
}

const PT_INTERP = 3;
