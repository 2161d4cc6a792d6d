import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import type { Places } from "./servers.js";
import { startChild } from "./lines.js";

export interface Measured {
  readonly ms: number | readonly number[];
  readonly first: string;
}

/** The process in which our library is measured without any transport. */
export interface Worker extends AsyncDisposable {
  run(name: string, details?: object): Promise<Measured>;
}

export function startWorker({ work, build, files }: Places, program = "in-process"): Worker {
  const home = mkdtempSync(join(work, "home-"));
  const child = startChild({
    file: process.execPath,
    args: [join(build, program, "main.js"), files],
    cwd: home,
    env: { HOME: home, TMPDIR: home, PATH: "/usr/bin:/bin" },
  });
  let id = 0;
  return {
    async run(name, details = {}) {
      const { result, error } = await child.ask({ id: ++id, case: name, ...details });
      if (error !== undefined) throw new Error(`${name}: ${error.message}`);
      return result as Measured;
    },
    [Symbol.asyncDispose]: child.end,
  };
}
