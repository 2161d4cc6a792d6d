import { join } from "node:path";
import { execa } from "execa";
import type { Site } from "./install.js";

const LINES = 4000;

/** Runs a long output through `te`, reads all lines back where a database keeps them, and gives the version of `llmc`. */
export async function askTe({ node, project, files, state }: Site, isKept: boolean): Promise<string> {
  const folder = join(project, "node_modules/@llmc/te/dist");
  const options = { cwd: files, env: { LLMC_DATA_DIR: `${state}-te` }, stdin: "ignore", timeout: 60_000 } as const;
  const ask = async (program: string, ...args: string[]) =>
    (await execa(node, [join(folder, program), ...args], options)).stdout;

  const printed = await ask("main.js", "seq", String(LINES));
  const handle = /te --handle (h\d{6})/.exec(printed)?.[1];
  if ((handle !== undefined) !== isKept) throw new Error(`te printed ${printed.slice(0, 200)}`);
  const whole = handle === undefined ? printed : await ask("main.js", "--handle", handle);
  if (whole.split("\n").length !== LINES) throw new Error(`te lost lines of ${whole.slice(0, 200)}`);
  return await ask("llmc.js", "--version");
}
