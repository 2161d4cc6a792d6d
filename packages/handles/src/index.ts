export type { Database, DatabaseOptions, DriverKind } from "./database.js";
export type { RunResult } from "./driver.js";
export type {
  Handle,
  HandleInput,
  HandleLimits,
  HandleMeta,
  HandlePage,
  HandleSlice,
  HandleSource,
  HandleStore,
  Swept,
} from "./handle.js";
export { openDatabase } from "./open-database.js";
export type { Orm } from "./orm.js";
export { createHandleStore, type HandleStoreOptions } from "./store.js";
export { driverFolders } from "./driver-folders.js";
