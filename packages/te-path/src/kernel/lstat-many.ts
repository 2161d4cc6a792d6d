import { lstatSync, readlinkSync, type BigIntStats } from "node:fs";

/** What stands under a name: its facts, and of a link its text as bytes. */
export interface Looked {
  readonly stat: BigIntStats;
  readonly target?: string;
}

/** Why the kernel does not say what stands there. */
export interface Unseen {
  readonly code: string;
}

/** Looks at many names of one folder in one go; undefined: it is gone. */
export function lstatMany(folder: string, names: readonly string[]): (Looked | Unseen | undefined)[] {
  return names.map((name) => {
    try {
      return look(bytesOf(`${folder}/${name}`));
    } catch (thrown) {
      return { code: (thrown as NodeJS.ErrnoException).code ?? "unknown" };
    }
  });
}

const LINK = 0o120000n;
const KIND = 0o170000n;

function look(path: string | Buffer): Looked | undefined {
  const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  const target = (stat.mode & KIND) === LINK ? targetOf(path) : undefined;
  return target === undefined ? { stat } : { stat, target };
}

/** Undefined when the name is not a symlink any more. */
function targetOf(path: string | Buffer): string | undefined {
  try {
    return readlinkSync(path, "latin1");
  } catch {
    return undefined;
  }
}

/** What is plain ASCII goes to the kernel without a copy. */
export function bytesOf(path: string): string | Buffer {
  return /[\x80-\xff]/.test(path) ? Buffer.from(path, "latin1") : path;
}
