import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { onTestFinished } from "vitest";

export interface SeenRead {
  readonly fd: number;
  readonly position: number;
  readonly count: number;
}

/** Every read of a file that this process makes until the test ends, by the main thread or the thread pool. */
export function watchReads(): SeenRead[] {
  const { read, readSync } = fs;
  const seen: SeenRead[] = [];
  const note = (fd: number, position: unknown, count: number): void =>
    void seen.push({ fd, position: Number(position), count });
  const change = (now: Pick<typeof fs, "read" | "readSync">): void => {
    Object.assign(fs, now);
    syncBuiltinESMExports();
  };
  change({
    readSync: ((...args: [number, Uint8Array, number, number, number]) => {
      const count = readSync(...args);
      note(args[0], args[4], count);
      return count;
    }) as typeof readSync,
    read: ((...args: [number, Uint8Array, number, number, number, (error: Error | null, count: number) => void]) => {
      const [fd, into, offset, length, position, done] = args;
      read(fd, into, offset, length, position, (error, count) => {
        note(fd, position, count);
        done(error, count);
      });
    }) as typeof read,
  });
  onTestFinished(() => change({ read, readSync }));
  return seen;
}
