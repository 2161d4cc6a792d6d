import { expect, test } from "vitest";
import { configKeys, mcpSchema } from "../src/index.js";

// The seeds' own defaults: a schema may gain keys, it never changes one of these.
test("keeps every default of the seeds", () => {
  expect(mcpSchema.parse({})).toMatchObject({
    enabled: true,
    config_version: "v0",
    server: { host: "127.0.0.1", port: 8080, tls_enabled: false },
    auth: { mode: "token", header: "X-LLMC-Token", token_env: "LLMC_MCP_TOKEN", allow_unauthenticated: false },
    tools: { enable_run_cmd: true, allow_outbound_network: true, exec_timeout: 30, read_timeout: 10, idle_timeout: 60 },
    rag: { jit_context_enabled: true, default_scope: "repo", top_k: 3, token_budget: 600 },
    observability: {
      enabled: true,
      metrics_enabled: true,
      metrics_prometheus_enabled: true,
      metrics_path: "/metrics",
      csv_token_audit_enabled: false,
      log_format: "json",
      log_level: "info",
      retention_days: 0,
      include_correlation_id: true,
    },
    limits: {
      rate_limit_rps: 10,
      rate_limit_burst: 20,
      concurrency_per_token: 8,
      max_request_bytes: 262_144,
      max_header_bytes: 16_384,
    },
    session: { default_agent_id: "claude-desktop-mcp", default_model: "unknown" },
    te: { enabled: true, json_mode: true, timeout: 30, passthrough_on_failure: true },
    docker: { persist_telemetry: true, persist_token_audit: true },
    linux_ops: {
      roots: { enforce_roots: true },
      commands: { allow_unsafe: false },
      process_limits: {
        max_procs_per_session: 4,
        max_procs_total: 32,
        default_timeout_sec: 60,
        max_timeout_sec: 600,
        allow_kill_other_users: false,
      },
      features: { fs_enabled: true, proc_enabled: true, repl_enabled: true, system_enabled: true },
    },
  });
});

test("has the keys that the design adds, with their defaults", () => {
  expect(mcpSchema.parse({})).toMatchObject({
    tools: {
      names: "underscore",
      toolsets: ["fs", "search", "patch", "proc", "repl", "sys", "handles", "stats", "onboarding", "te", "rag"],
      allow: [],
      deny: [],
      read_only: false,
      results: "auto",
      output_schemas: false,
      confirm: "never",
      confirm_timeout_sec: 300,
    },
    limits: { max_stdio_bytes: 16 * 1024 * 1024 },
    session: { scope: "session" },
    handles: { max_total_bytes: 256 * 1024 * 1024, max_payload_bytes: 16 * 1024 * 1024, max_age_hours: 24 },
    linux_ops: {
      roots: { allow_exec_config: false },
      commands: {
        sandbox: "auto",
        host_view: false,
        path_extra: [],
        sandbox_read: [],
        sandbox_write: [],
        env_pass: [],
        max_pids: 512,
      },
      process_limits: { auto_background_after: 45, idle_timeout_sec: 1800, list_other_users: false },
      features: { kill_enabled: true, logs_enabled: false },
      fs: { stale_guard: "refuse", max_patch_bytes: 2 * 1024 * 1024, max_line_chars: 2000 },
      undo: { enabled: true, max_bytes: 1024 ** 3, max_age_hours: 72 },
      search: { max_scan_hits: 100_000 },
      system: { sysinfo_cache_ms: 2000 },
    },
  });
});

test("shuts the credentials that the design names", () => {
  expect(mcpSchema.parse({}).linux_ops.roots.deny.join(" ")).toBe(
    ".ssh .gnupg .aws .azure .kube .docker/config.json .netrc .npmrc .pypirc .git-credentials .config/gh " +
      ".config/gcloud .mozilla .config/google-chrome .local/share/keyrings",
  );
});

test("an unset list is not an empty one", () => {
  const { tools, linux_ops } = mcpSchema.parse({});
  expect({
    run_cmd: tools.run_cmd_allowlist,
    allowed: linux_ops.commands.allowed_binaries,
    unsafe: linux_ops.commands.unsafe_binaries,
    roots: linux_ops.roots.allowed_roots,
  }).toEqual({ run_cmd: undefined, allowed: undefined, unsafe: undefined, roots: undefined });
  expect(mcpSchema.parse({ tools: { run_cmd_allowlist: [] } }).tools.run_cmd_allowlist).toEqual([]);
});

test("two parsed settings share no list", () => {
  mcpSchema.parse({}).tools.toolsets.push("all");
  expect(mcpSchema.parse({}).tools.toolsets).not.toContain("all");
});

test("every key has a description of one line and a unique name", () => {
  const keys = configKeys();
  expect(keys.filter(({ description }) => !/^\S[^\n|]{1,160}[.…]$/.test(description))).toEqual([]);
  expect(new Set(keys.map(({ key }) => key)).size).toBe(keys.length);
});

test("the token is the only secret, and is marked", () => {
  expect(
    configKeys()
      .filter(({ secret }) => secret)
      .map(({ key }) => key),
  ).toEqual(["mcp.auth.token"]);
});

test("every number has bounds, and its default lies within them", () => {
  for (const { key, type, default: initial } of configKeys()) {
    if (typeof initial !== "number") continue;
    const [, low, high] = /^a (?:whole )?number from (\S+) to (\S+)$/.exec(type) ?? [];
    expect({ key, within: Number(low) <= initial && initial <= Number(high) }).toEqual({ key, within: true });
  }
});
