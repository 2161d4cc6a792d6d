/**
 * Every numbered requirement of the five seeds. "asked" must be cited by a passing test of this run; `open: <topic>`
 * waits for that topic of open-topics.json; `superseded: <decision>` names what stands in its place.
 */
export type Status = "asked" | `open: ${string}` | `superseded: ${string}`;

type Rows = Readonly<Record<string, readonly [text: string, status: Status]>>;

const SEED_000: Rows = {
  "000-R1": ["proc_list returns pid, user, CPU%, MEM% and command", "asked"],
  "000-R2": ["proc_list bounds its rows by max_results", "asked"],
  "000-R3": ["proc_list has stable fields to filter and sort by", "asked"],
  "000-R4": ["proc_kill sends a signal, TERM by default", "asked"],
  "000-R5": ["proc_kill spares pid 1, the server and other users", "asked"],
  "000-R6": ["proc_kill returns a status and a message", "asked"],
  "000-R7": ["sys_snapshot has CPU, load, memory and disks", "asked"],
  "000-R8": ["sys_snapshot has a short summary beside the figures", "asked"],
  "000-R9": ["psutil where there is one, else the shell", "superseded: our own /proc reader, ps as fallback"],
  "000-R10": ["sys_services lists active services", "asked"],
  "000-R11": ["sys_logs returns a bounded tail of logs", "asked"],
};

const SEED_001: Rows = {
  "001-R1": ["fs_read reads text files of allowed paths", "asked"],
  "001-R2": ["fs_read slices by offset_lines and max_lines", "asked"],
  "001-R3": ["a file larger than the slice comes truncated, with a handle", "asked"],
  "001-R4": ["fs_write writes and appends UTF-8", "asked"],
  "001-R5": ["fs_write checks expected_sha256", "asked"],
  "001-R6": ["fs_write returns bytes written and the new hash", "asked"],
  "001-R7": ["fs_list by depth, glob and hidden", "asked"],
  "001-R8": ["fs_list is bounded, the rest behind a handle", "asked"],
  "001-R9": ["fs_move inside the roots", "asked"],
  "001-R10": ["fs_delete with guard rails", "asked"],
  "001-R11": ["fs_mkdirs creates folders recursively", "asked"],
  "001-R12": ["search_files by name pattern and glob", "asked"],
  "001-R13": ["search_files respects roots and bounds", "asked"],
  "001-R14": ["search_content by pattern and glob", "asked"],
  "001-R15": ["literal or regex, case, context lines", "asked"],
  "001-R16": ["structured hits, the full output behind a handle", "asked"],
};

const SEED_002: Rows = {
  "002-2.1": ["configuration under mcp.linux_ops", "asked"],
  "002-2.2": ["error types with codes, as MCP error payloads", "asked"],
  "002-2.3": ["shared payload types", "superseded: types are inferred from the zod schemas"],
  "002-2.4": ["handle store: create, get, slice, delete, and linux.handle_read", "asked"],
  "002-2.5": ["shell wrapper with allowlist, timeout and captured output", "asked"],
  "002-2.6": ["file system wrapper: normalise, read, write, list", "asked"],
  "002-2.7": ["search wrapper over rg/grep and fd/find", "asked"],
  "002-2.8": ["process wrapper and registry", "asked"],
  "002-3.1.1": ["linux.fs_read", "asked"],
  "002-3.1.2": ["linux.fs_write", "asked"],
  "002-3.1.3": ["linux.fs_list", "asked"],
  "002-3.1.4": ["linux.fs_move, fs_delete, fs_mkdirs", "asked"],
  "002-3.2.1": ["linux.search_files", "asked"],
  "002-3.2.2": ["linux.search_content", "asked"],
  "002-3.3.1": ["linux.fs_patch_block", "asked"],
  "002-3.3.2": ["linux.fs_apply_diff", "asked"],
  "002-3.4.1": ["linux.proc_list", "asked"],
  "002-3.4.2": ["linux.proc_kill", "asked"],
  "002-3.4.3": ["linux.proc_tree", "asked"],
  "002-3.5.1": ["linux.proc_start", "asked"],
  "002-3.5.2": ["linux.proc_send", "asked"],
  "002-3.5.3": ["linux.proc_read", "asked"],
  "002-3.5.4": ["linux.proc_stop", "asked"],
  "002-3.6.1": ["linux.sys_snapshot", "asked"],
  "002-3.6.2": ["linux.sys_services and sys_logs", "asked"],
  "002-3.7.1": ["linux.mcp_usage_stats", "open: stats"],
  "002-3.7.2": ["linux.mcp_recent_calls", "open: stats"],
  "002-3.8.1": ["linux.mcp_run_onboarding", "open: onboarding"],
  "002-4": ["tools are registered from one table with short schemas", "asked"],
  "002-5.1": ["unit tests per module", "superseded: tests mirror the sources of each package"],
  "002-5.2": ["integration tests over MCP", "asked"],
  "002-L1-1": ["configuration loaded from llmc.toml", "asked"],
  "002-L1-2": ["file system wrapper", "asked"],
  "002-L1-3": ["fs tools", "asked"],
  "002-L1-4": ["search wrapper", "asked"],
  "002-L1-5": ["search tools", "asked"],
  "002-L1-6": ["handle store", "asked"],
  "002-L1-7": ["unit tests for files and search", "asked"],
  "002-L1-8": ["integration tests for files and search", "asked"],
  "002-L2-1": ["ps-based proc_list", "superseded: our own /proc reader, ps as fallback"],
  "002-L2-2": ["proc_kill with safety checks", "asked"],
  "002-L2-3": ["sys_snapshot", "asked"],
  "002-L2-4": ["unit tests for processes and system", "asked"],
  "002-L2-5": ["integration tests for processes and system", "asked"],
  "002-L3-1": ["process wrapper and registry", "asked"],
  "002-L3-2": ["proc_start", "asked"],
  "002-L3-3": ["proc_send, proc_read, proc_stop", "asked"],
  "002-L3-4": ["unit tests of a REPL's life", "asked"],
  "002-L3-5": ["integration tests of REPL tools", "asked"],
  "002-L4-1": ["tool usage aggregation", "open: stats"],
  "002-L4-2": ["recent call listing", "open: stats"],
  "002-L4-3": ["onboarding dispatcher", "open: onboarding"],
  "002-L4-4": ["core onboarding flows", "open: onboarding"],
  "002-L4-5": ["unit tests for stats and onboarding", "open: onboarding"],
  "002-L4-6": ["integration tests for stats and onboarding", "open: onboarding"],
  "002-X-1": ["tools registered in the MCP server", "asked"],
  "002-X-2": ["mcp_linuxops.md quick start", "open: deploy"],
  "002-X-3": ["machine-friendly tool catalogue", "superseded: docs/tools.md, generated from the catalogue"],
  "002-X-4": ["tools wired into metrics and audit", "asked"],
  "002-X-5": ["configuration reference", "superseded: docs/config.md, generated from the schema"],
};

const SEED_003: Rows = {
  "003-1": ["EXEC_CLI executes shell commands", "asked"],
  "003-2": ["SYS_INFO collects system information", "asked"],
};

const SEED_004: Rows = {
  "004-FR-1": ["/health, /invoke_agent, /tool, /rag/search, /rag/bootload", "open: http"],
  "004-FR-2": ["a static bearer token is validated", "asked"],
  "004-FR-3": ["read_file, list_dir, stat, run_cmd", "asked"],
  "004-FR-4": ["rag.search and rag.bootload with provenance", "open: rag"],
  "004-FR-5": ["timeouts and limits from configuration", "open: http"],
  "004-FR-6": ["metrics, logging and token audit by configuration", "open: http"],
  "004-FR-7": ["the error envelope with correlation_id", "asked"],
  "004-NFR-1": ["latency goals", "open: http"],
  "004-NFR-2": ["10 requests a second with burst 20, 429 beyond", "open: http"],
  "004-NFR-3": ["path normalisation, traversal protection, validation, allowlisted binaries", "asked"],
  "004-NFR-4": ["the start logs the effective configuration without secrets", "asked"],
  "004-NFR-5": ["container and reverse proxy samples", "open: deploy"],
  "004-NFR-6": ["no tool docs injected, nothing sent but results", "asked"],
  "004-M5-1": ["Dockerfile builds and runs the server", "open: deploy"],
  "004-M5-2": ["docker-compose starts it", "open: deploy"],
  "004-M5-3": ["te_run, repo_read, rag_query", "open: rag"],
  "004-M5-4": ["te_run routes through TE by subprocess", "superseded: TE is an in-process library"],
  "004-M5-5": ["session context reaches TE as environment", "asked"],
  "004-M5-6": ["TE telemetry survives restarts", "asked"],
  "004-M5-7": ["sidecar documents as MCP resources", "open: clients"],
  "004-M5-8": ["metrics include TE latency", "open: http"],
  "004-M5-9": ["a flag turns TE routing off", "asked"],
  "004-M5-10": ["the README documents container and tools", "open: deploy"],
};

export const REQUIREMENTS: Rows = { ...SEED_000, ...SEED_001, ...SEED_002, ...SEED_003, ...SEED_004 };

/** How many each seed numbers: a row that gets lost turns the check red. */
export const COUNTS: Readonly<Record<string, number>> = { "000": 11, "001": 16, "002": 60, "003": 2, "004": 23 };
