export { body, commandFacts, headline, factsOf } from "./result/facts.js";
export { type Outcome, runOnce, type OnceRequest } from "./run/run-once.js";
export { streamsOf } from "./result/streams.js";
export { commandTimes, type TimeLimits } from "./run/times.js";
export { notStarted } from "./launch/not-started.js";
export { startManaged } from "./run/start-managed.js";
