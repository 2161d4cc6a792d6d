export { buildEnv } from "./env.js";
export { findProgram } from "./find-program.js";
export { inheritedDescriptors } from "./inherited-descriptors.js";
export { run, type Ended, type RunResult } from "./run.js";
export type { RunOptions } from "./run-options.js";
