// Every program that the server itself chooses goes through `run`, which takes words and no shell line, builds the
// environment from nothing, bounds time and output, and ends the whole process tree. The cell runs a search engine
// the same way, inside a mount namespace that shows one folder. te-shell builds on the parts for commands of a model.

export { buildEnv, pathFolders } from "./find/env.js";
export { packageVersion } from "./find/find-package.js";
export { findProgram } from "./find/find-program.js";

export { drain } from "./streams/drain.js";
export { Head, OutputReader, type TakeChunk } from "./streams/output.js";
export type { Pipe, Pipes } from "./streams/pipe.js";
export { textOf, wholeBytes, type TextOptions } from "./streams/plain-text.js";
export type { StdinSource } from "./streams/stdin.js";

export { dieWithParent } from "./process/die-with-parent.js";
export { endTree } from "./process/end-tree.js";
export { errnoOf, folderProblem } from "./process/errno.js";
export { inheritedDescriptors } from "./process/inherited-descriptors.js";
export { isDead, readStat, type ProcStat } from "./process/proc-stat.js";
export { ProcessTree } from "./process/process-tree.js";
export { start, type Exit, type Extra, type Started, type StartOptions } from "./process/start.js";

export { makePipes, openPipes } from "./run/pipes.js";
export { run, type Ended, type RunResult } from "./run/run.js";
export type { RunOptions } from "./run/run-options.js";

export { bubblewrapCell } from "./cell/bubblewrap.js";
export type { Cell, CellOptions, CellSight, Closed, Missing } from "./cell/cell.js";
export { contains } from "./cell/covers.js";
export { whyMissing } from "./cell/why-missing.js";
