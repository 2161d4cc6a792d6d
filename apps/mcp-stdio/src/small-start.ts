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
  setTimeout(() => {
    setFlagsFromString("--semi-space-growth-factor=2");
    if (isNode20) setFlagsFromString(SOONER);
  }, STARTED_MS).unref();
}

/**
 * What is run often is compiled well after less of it. Node 20 has no compiler between its quick one and its good one, and a
 * server meets a call some hundred times, not some thousand: a read takes 0.40 ms where it took 0.47 by then. Later ones have
 * one, and do not know the flag.
 */
const SOONER = "--interrupt-budget=40000";
const isNode20 = process.versions.node.startsWith("20.");
