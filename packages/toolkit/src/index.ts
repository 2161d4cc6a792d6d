export { createAccess, type Access, type AccessOptions } from "./access.js";
export {
  correlationIdFrom,
  type AskPerson,
  type Call,
  type CallContext,
  type CallOptions,
  type ConfirmAnswer,
  type ConfirmQuestion,
  type Entry,
  type Session,
} from "./call.js";
export {
  createDispatcher,
  type CallResult,
  type Dispatcher,
  type DispatcherOptions,
  type Middleware,
  type Payload,
} from "./dispatch.js";
export type { ArgumentHabit, Habits } from "./habits.js";
export {
  describeTool,
  inputSchemaOf,
  outputSchemaOf,
  type JsonSchema,
  type ListedTool,
  type ListingOptions,
} from "./listing.js";
export { confirm, type ConfirmOptions } from "./middleware/confirm.js";
export { deadline, type DeadlineOptions } from "./middleware/deadline.js";
export { gate } from "./middleware/gate.js";
export { limit, type LimitOptions } from "./middleware/limit.js";
export { observe, type ObserveOptions } from "./middleware/observe.js";
export { parseArguments } from "./middleware/parse.js";
export { nearestName, nearestWithin } from "./nearest.js";
export type { CallRecord, Sink } from "./record.js";
export { estimateTokens } from "./tokens.js";
export {
  toolFactory,
  wireName,
  type AnyTool,
  type LoggedFacts,
  type Media,
  type Parted,
  type Tool,
  type ToolAnnotations,
} from "./tool.js";
