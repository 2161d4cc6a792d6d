import { execa } from "execa";

/** Tells whether a program runs here and ends with 0; tests that need it are skipped where it does not. */
export async function succeeds(program: string, args: readonly string[]): Promise<boolean> {
  const { failed } = await execa(program, args, { stdio: "ignore", timeout: 60_000, reject: false });
  return !failed;
}

export const hasBubblewrap = await succeeds("bwrap", ["--unshare-user", "--ro-bind", "/", "/", "true"]);
