import { index, integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Missed, TeRow } from "../record/te-row.js";

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

/** One row for each output that the envelope told. */
export const teCalls = sqliteTable("te_calls", {
  id: integer().primaryKey({ autoIncrement: true }),
  timestamp: text().notNull(),
  agent: text().notNull(),
  session: text().notNull(),
  model: text().notNull(),
  /** Name of the client's program, as it introduced itself. */
  client: text(),
  tool: text().notNull(),
  /** Kind of the output: the recogniser, else the program. */
  family: text().notNull(),
  /** Masked and bounded. */
  command: text().notNull(),
  /** `error`: the recogniser threw or took too long, so the output was told as one of no known kind. */
  mode: text().$type<TeRow["mode"]>().notNull(),
  /** Estimates for both streams: as printed, and as told. */
  rawTokens: integer("raw_tokens").notNull(),
  shownTokens: integer("shown_tokens").notNull(),
  /** Tokens that the client would have shown at most; null where that is not known. */
  clientCapTokens: integer("client_cap_tokens"),
  truncated: integer({ mode: "boolean" }).notNull(),
  /** All of stdout, or of stderr if only that was shortened. */
  handle: text(),
  stderrHandle: text("stderr_handle"),
  /** Short names of both handles, by which readers name them too. */
  handleNames: text("handle_names"),
  /** Milliseconds of the whole call. */
  latencyMs: real("latency_ms").notNull(),
  /** Milliseconds of the shortening alone. */
  shorteningMs: real("shortening_ms").notNull(),
  engineVersion: text("engine_version").notNull(),
  /**
   * Why this answer was not enough; null where nothing tells so. `handle_read`: somebody read one of its handles.
   * `rerun`: the session ran the same command again within its next five calls. The first reason stays.
   */
  missed: text().$type<Missed>(),
});

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
  [
    `CREATE TABLE te_calls (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      timestamp TEXT NOT NULL,
      agent TEXT NOT NULL,
      session TEXT NOT NULL,
      model TEXT NOT NULL,
      client TEXT,
      tool TEXT NOT NULL,
      family TEXT NOT NULL,
      command TEXT NOT NULL,
      mode TEXT NOT NULL,
      raw_tokens INTEGER NOT NULL,
      shown_tokens INTEGER NOT NULL,
      client_cap_tokens INTEGER,
      truncated INTEGER NOT NULL,
      handle TEXT,
      stderr_handle TEXT,
      handle_names TEXT,
      latency_ms REAL NOT NULL,
      shortening_ms REAL NOT NULL,
      engine_version TEXT NOT NULL,
      missed TEXT
    ) STRICT`,
    "CREATE INDEX te_calls_session ON te_calls (session, id)",
  ],
];
