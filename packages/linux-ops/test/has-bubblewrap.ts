import { spawnSync } from "node:child_process";

export const hasBubblewrap =
  spawnSync("bwrap", ["--unshare-user", "--ro-bind", "/", "/", "true"], { stdio: "ignore" }).status === 0;
/** For the name of what is skipped. */
export const skipped = hasBubblewrap ? "" : " (skipped: bubblewrap makes no sandbox here)";
