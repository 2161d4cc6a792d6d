/**
 * The server has one database, and a package reaches it only through a store. A store is opened with one backend for
 * each kind of database (`Backends`), and the database calls the backend that fits it. So no code above a store knows
 * SQL, and a further kind of database is one more backend of each store. `openDatabase` loads the driver, so
 * importing this package loads none.
 */
export type { Backends, MemoryAccess, SqliteAccess } from "./database/backends.js";
export type { Database, DatabaseOptions, DriverKind } from "./database/database.js";
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
export { createHandleStore, type HandleStoreOptions } from "./open/store.js";
export { isShortName, shortName } from "./handle/id.js";
export { lineRange, type LineRange } from "./handle/line-range.js";
export { localOwner } from "./handle/local-owner.js";
export { readWhole, type ReadWholeOptions } from "./handle/read-whole.js";
export { storeIfAny } from "./handle/store-if-any.js";
export { driverFolders } from "./driver/driver-folders.js";
