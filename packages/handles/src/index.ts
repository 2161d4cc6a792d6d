export type { Database, DatabaseOptions, DriverKind } from "./database/database.js";
export type { RunResult } from "./driver/driver.js";
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
} from "./handle/handle.js";
export { openDatabase } from "./open/open-database.js";
export type { Orm } from "./sqlite/orm.js";
export { createHandleStore, type HandleStoreOptions } from "./open/store.js";
export { driverFolders } from "./driver/driver-folders.js";
