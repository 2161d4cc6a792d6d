import { blob, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** The payload comes last: SQLite reads a row from its start, and most queries stop before it. */
export const handles = sqliteTable("handles", {
  id: text("id").primaryKey(),
  owner: text("owner").notNull(),
  type: text("type").notNull(),
  createdAt: text("created_at").notNull(),
  expiresAt: integer("expires_at").notNull(),
  /** Made or renewed: what was touched longest ago makes room first. */
  touchedAt: integer("touched_at").notNull(),
  sha256: text("sha256").notNull(),
  size: integer("size").notNull(),
  /** Bytes in this row and its blocks: less than `size` once compressed. */
  stored: integer("stored").notNull(),
  source: text("source"),
  metaJson: text("meta_json").notNull(),
  short: text("short"),
  encoding: text("encoding").$type<Encoding>().notNull(),
  /** The first block; the whole payload of most handles. */
  payload: blob("payload", { mode: "buffer" }).notNull(),
});

/** The blocks of a large payload after its first. */
export const handleBlocks = sqliteTable(
  "handle_blocks",
  {
    handleId: text("handle_id").notNull(),
    seq: integer("seq").notNull(),
    encoding: text("encoding").$type<Encoding>().notNull(),
    data: blob("data", { mode: "buffer" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.handleId, table.seq] })],
);

export const handleTombstones = sqliteTable("handle_tombstones", {
  seq: integer("seq").primaryKey({ autoIncrement: true }),
  id: text("id").notNull(),
  owner: text("owner").notNull(),
  short: text("short"),
});

export const handleTotals = sqliteTable("handle_totals", {
  one: integer("one").primaryKey(),
  handles: integer("handles").notNull(),
  bytes: integer("bytes").notNull(),
});

export type Encoding = "raw" | "deflate";

export const MODULE = "handles";

/** One entry for each version that was ever released. Never change one, add one. */
export const STEPS: readonly (readonly string[])[] = [
  [
    `CREATE TABLE handles (
      id TEXT PRIMARY KEY NOT NULL,
      owner TEXT NOT NULL,
      type TEXT NOT NULL,
      created_at TEXT NOT NULL,
      expires_at INTEGER NOT NULL,
      touched_at INTEGER NOT NULL,
      sha256 TEXT NOT NULL,
      size INTEGER NOT NULL,
      stored INTEGER NOT NULL,
      source TEXT,
      meta_json TEXT NOT NULL,
      encoding TEXT NOT NULL,
      payload BLOB NOT NULL
    )`,
    "CREATE UNIQUE INDEX handles_by_source ON handles (owner, source) WHERE source IS NOT NULL",
    "CREATE INDEX handles_by_touch ON handles (touched_at)",
    "CREATE INDEX handles_by_expiry ON handles (expires_at)",
    "CREATE INDEX handles_by_owner ON handles (owner, created_at, id)",
    `CREATE TABLE handle_blocks (
      handle_id TEXT NOT NULL REFERENCES handles (id) ON DELETE CASCADE,
      seq INTEGER NOT NULL,
      encoding TEXT NOT NULL,
      data BLOB NOT NULL,
      PRIMARY KEY (handle_id, seq)
    )`,
    "CREATE TABLE handle_tombstones (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, owner TEXT NOT NULL)",
    "CREATE TABLE handle_totals (one INTEGER PRIMARY KEY CHECK (one = 1), handles INTEGER NOT NULL, bytes INTEGER NOT NULL)",
    "INSERT INTO handle_totals VALUES (1, 0, 0)",
    // The sums are kept with the rows, so that a create need not add up all of them.
    `CREATE TRIGGER handles_added AFTER INSERT ON handles BEGIN
      UPDATE handle_totals SET handles = handles + 1, bytes = bytes + new.stored;
    END`,
    `CREATE TRIGGER handles_gone AFTER DELETE ON handles BEGIN
      UPDATE handle_totals SET handles = handles - 1, bytes = bytes - old.stored;
    END`,
    `CREATE TRIGGER handles_shrunk AFTER UPDATE OF stored ON handles BEGIN
      UPDATE handle_totals SET bytes = bytes + new.stored - old.stored;
    END`,
  ],
  [
    "ALTER TABLE handles ADD COLUMN short TEXT",
    "ALTER TABLE handle_tombstones ADD COLUMN short TEXT",
    "CREATE INDEX handles_by_short ON handles (owner, short)",
    "CREATE INDEX handles_without_short ON handles (id) WHERE short IS NULL",
    "CREATE INDEX handle_tombstones_by_short ON handle_tombstones (owner, short)",
  ],
];
