// The executables share one start: parse the flags, refuse in one line, serve, and end in order.

export { CLOSING_FLAGS, COMMON_COMMANDS, COMMON_FLAGS, type Flag, type Program } from "./command.js";
export { helpText } from "./help.js";
export { watchParent, type Ending } from "./ending.js";
export { leadingFlags, parseCommandLine, type CommandLine } from "./parse.js";
export { endRefused, refusalsOf, StartError, UsageError } from "./refusal.js";
export { loadOptionsOf, runProgram } from "./run.js";
export { runServer, type Server } from "./start.js";
