import { findProgram } from "../find/find-program.js";

/**
 * The same program, prefixed so that it dies with us even when we are killed (its children do not: that takes the
 * cell). As it is where there is no setpriv.
 */
export async function mortal(argv: readonly [string, ...string[]]): Promise<readonly [string, ...string[]]> {
  const setpriv = await findProgram("setpriv");
  return setpriv === null ? argv : [setpriv, "--pdeathsig", "KILL", "--", ...argv];
}
