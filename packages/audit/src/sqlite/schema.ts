import { index, integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const calls = sqliteTable(
  "audit_calls",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    timestamp: text().notNull(),
    correlationId: text("correlation_id").notNull(),
    sessionId: text("session_id").notNull(),
    agentId: text("agent_id").notNull(),
    model: text().notNull(),
    entry: text().notNull(),
    tool: text().notNull(),
    status: text().notNull(),
    durationMs: real("duration_ms").notNull(),
    args: text().notNull(),
    facts: text().notNull(),
    truncated: integer({ mode: "boolean" }).notNull(),
    handle: text(),
    bytesOut: integer("bytes_out").notNull(),
    tokensIn: integer("tokens_in").notNull(),
    tokensOut: integer("tokens_out").notNull(),
  },
  (table) => [index("audit_calls_tool").on(table.tool, table.id)],
);

/** A step is never changed once it was released: a later one follows it. */
export const MIGRATIONS: readonly (readonly string[])[] = [
  [
    `CREATE TABLE audit_calls (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      timestamp TEXT NOT NULL,
      correlation_id TEXT NOT NULL,
      session_id TEXT NOT NULL,
      agent_id TEXT NOT NULL,
      model TEXT NOT NULL,
      entry TEXT NOT NULL,
      tool TEXT NOT NULL,
      status TEXT NOT NULL,
      duration_ms REAL NOT NULL,
      args TEXT NOT NULL,
      facts TEXT NOT NULL,
      truncated INTEGER NOT NULL,
      handle TEXT,
      bytes_out INTEGER NOT NULL,
      tokens_in INTEGER NOT NULL,
      tokens_out INTEGER NOT NULL
    ) STRICT`,
    "CREATE INDEX audit_calls_tool ON audit_calls (tool, id)",
  ],
];
