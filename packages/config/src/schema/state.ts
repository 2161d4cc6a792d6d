import { z } from "zod";
import { amount, choice, flag, GIB, KIB, matching, MIB, named, path, paths, seconds, whole } from "./fields.js";

export const handles = z
  .strictObject({
    max_total_bytes: whole(256 * MIB, { min: KIB, max: 1024 * GIB }, "What all handles hold; the oldest makes room."),
    max_payload_bytes: whole(16 * MIB, { min: KIB, max: GIB }, "What one handle holds."),
    max_age_hours: amount(24, { min: 0.01, max: 87_600 }, "How long a handle is kept."),
  })
  .prefault({})
  .meta({ description: "Large results, kept to be read slice by slice." });

export const observability = z
  .strictObject({
    enabled: flag(true, "false: no metrics, no CSV, no audit rows, no telemetry; error lines stay."),
    metrics_enabled: flag(true, "Count calls and their latency."),
    metrics_prometheus_enabled: flag(true, "Serve the counters over HTTP."),
    metrics_path: matching(
      "/metrics",
      /^\/[A-Za-z0-9._~/-]{1,200}$/,
      "a path such as /metrics",
      "Where they are served.",
    ),
    csv_token_audit_enabled: flag(false, "Append one line for each call to csv_path."),
    csv_path: path("The token audit. Empty: token_audit.csv in the data dir.", {
      example: "./artifacts/token_audit.csv",
    }),
    log_format: choice(["json", "text"], "json", "Form of log lines."),
    log_level: choice(
      ["trace", "debug", "info", "warn", "error", "fatal", "silent"],
      "info",
      "From which level on a line is logged.",
    ),
    retention_days: whole(
      0,
      { min: 0, max: 36_500 },
      "Audit rows, telemetry and CSV lines are kept so many days; 0 keeps all.",
    ),
    include_correlation_id: flag(true, "Log lines carry the correlation id."),
  })
  .prefault({})
  .meta({ description: "What is recorded of each call." });

export const te = z
  .strictObject({
    enabled: flag(true, "Shorten the output of commands; false: te_run gives it raw."),
    script_path: path("An external te to run instead of our own. Empty: our own.", { example: "scripts/te" }),
    json_mode: flag(true, "Ask an external te for JSON; false: read it as plain text."),
    timeout: seconds(30, "Seconds for te_run where the call names none."),
    passthrough_on_failure: flag(true, "Run the command directly where an external te fails."),
    budgets: named(
      z.strictObject({ tokens: z.int().min(1).max(1_000_000_000) }),
      "Tokens of a session that names one in _meta.llmc.budget_profile: at 80 % half of an answer, at 90 % a quarter, then summaries.",
      { example: { night: { tokens: 200_000 } } },
    ),
  })
  .prefault({})
  .meta({ description: "The Tool Envelope." });

export const resources = z
  .strictObject({
    sidecars: paths("Documents offered as MCP resources; a missing one says so.", {
      example: ["DOCS/agents.core.min.md", "DOCS/contracts.env.min.md"],
    }),
  })
  .prefault({})
  .meta({ description: "Documents a client may read." });

export const docker = z
  .strictObject({
    data_volume: path("The data dir where LLMC_DATA_DIR is unset. Empty: the usual place.", { example: "/app/.llmc" }),
    persist_telemetry: flag(true, "false: call records and telemetry stay in memory."),
    persist_token_audit: flag(true, "false: no token audit is written to disk."),
  })
  .prefault({})
  .meta({ description: "Inside a container." });
