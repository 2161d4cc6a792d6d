import { setFlagsFromString } from "node:v8";

/** By then the client has asked for the list of tools. */
const STARTED_MS = 2000;

/**
 * To be imported first. The young half of V8's heap doubles with what survives in it; while a program starts that is
 * nearly everything, so it ends at 16 MB that an idle server never uses again.
 */
setFlagsFromString("--semi-space-growth-factor=1");

/** It grows as ever once there is work to do. */
export function growLater(): void {
  setTimeout(() => setFlagsFromString("--semi-space-growth-factor=2"), STARTED_MS).unref();
}
