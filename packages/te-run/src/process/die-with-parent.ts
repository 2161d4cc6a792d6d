import { findProgram } from "../find/find-program.js";

/**
 * Returns argv with a prefix, so that the kernel kills the program when this process dies. The program's own children
 * live on; only a cell ends them too. Returns argv unchanged if setpriv is not installed.
 */
export async function dieWithParent(argv: readonly [string, ...string[]]): Promise<readonly [string, ...string[]]> {
  const setpriv = await findProgram("setpriv");
  return setpriv === null ? argv : [setpriv, "--pdeathsig", "KILL", "--", ...argv];
}
