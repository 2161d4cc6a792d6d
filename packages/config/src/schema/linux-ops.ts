import { z } from "zod";
import {
  amount,
  choice,
  commandsOrUnset,
  flag,
  GIB,
  listMatching,
  listOrUnset,
  KIB,
  MIB,
  paths,
  seconds,
  whole,
} from "./fields.js";

const CREDENTIALS = [
  ".ssh",
  ".gnupg",
  ".aws",
  ".azure",
  ".kube",
  ".docker/config.json",
  ".netrc",
  ".npmrc",
  ".pypirc",
  ".git-credentials",
  ".config/gh",
  ".config/gcloud",
  ".mozilla",
  ".config/google-chrome",
  ".local/share/keyrings",
];

// No leading "/" or "~", no "." or ".." and no empty component: these are names at the top of any home.
const BELOW_HOME = /^(?![~/])(?!.*(?:^|\/)\.{0,2}(?:\/|$))[^\0]+$/;
// BASH_FUNC_name%% is a legal, if odd, variable.
const PASSED_NAME = /^[A-Za-z_][A-Za-z0-9_]*(?:%%)?$/;

const roots = z
  .strictObject({
    allowed_roots: listOrUnset("Folders that tools and commands may use. Unset: tools.allowed_roots.", {
      path: true,
      example: ["~/src"],
    }),
    enforce_roots: flag(true, 'false opens the whole machine, as the root "/" does.'),
    deny: listMatching(
      CREDENTIALS,
      BELOW_HOME,
      'a path below a home, such as ".ssh" or ".config/gh"',
      "Credentials that stay shut at the top of any home under a root.",
    ),
    allow_exec_config: flag(
      false,
      "Tools and commands may write files that other programs run (.git/hooks, .envrc, .vscode …).",
    ),
  })
  .prefault({})
  .meta({ description: "Where tools may look and write." });

const commands = z
  .strictObject({
    allowed_binaries: commandsOrUnset(
      "Programs that may be started; [] allows none. Unset: tools.run_cmd_allowlist, else built in.",
      ["git", "python3", "node"],
    ),
    unsafe_binaries: commandsOrUnset("Programs that need allow_unsafe; [] means none does. Unset: built in.", [
      "bash",
      "ssh",
    ]),
    allow_unsafe: flag(false, "Programs that can run others (shells, interpreters, find -exec …) may be started."),
    sandbox: choice(
      ["auto", "require", "off"],
      "auto",
      "What holds a command: bubblewrap or namespaces, bubblewrap only, or nothing.",
    ),
    host_view: flag(false, "Commands see the host's processes and network instead of their own."),
    path_extra: paths("Folders put in front of the PATH of commands, and of systemctl and journalctl."),
    sandbox_read: paths("More that commands may read inside the sandbox."),
    sandbox_write: paths("More that commands may write inside the sandbox."),
    env_pass: listMatching(
      [],
      PASSED_NAME,
      "the name of an environment variable",
      "Variables of ours that commands get besides the built environment.",
    ),
    max_pids: whole(512, { min: 1, max: 4_194_304 }, "Processes and threads one command may have."),
    max_memory_mb: whole(0, { min: 0, max: 1_073_741_824 }, "Memory of one command in MiB; 0: 75 % of what is free."),
  })
  .prefault({})
  .meta({ description: "Which programs may run, and what holds them." });

const processLimits = z
  .strictObject({
    max_procs_per_session: whole(4, { min: 0, max: 10_000 }, "Managed processes of one session."),
    max_procs_total: whole(32, { min: 0, max: 10_000 }, "Managed processes of all sessions."),
    default_timeout_sec: seconds(60, "Seconds for run_tests and for programs that we start ourselves."),
    max_timeout_sec: seconds(600, "Longest timeout that a call may ask for."),
    auto_background_after: seconds(45, "Over MCP a longer command becomes a managed process after so many seconds."),
    idle_timeout_sec: whole(1800, { min: 1, max: 31_536_000 }, "A managed process nobody uses ends after so long."),
    allow_kill_other_users: flag(false, "proc_kill may signal other users' processes; implies list_other_users."),
    list_other_users: flag(false, "Show other users' command lines, not only pid, uid, name and figures."),
  })
  .prefault({})
  .meta({ description: "How many processes, for how long, and whose." });

const features = z
  .strictObject({
    fs_enabled: flag(true, "fs_*, search_*, patches, read_file, list_dir, stat, repo_*."),
    proc_enabled: flag(true, "proc_list, proc_kill, proc_tree."),
    repl_enabled: flag(true, "proc_start, proc_send, proc_read, proc_stop, proc_sessions."),
    system_enabled: flag(true, "sys_*, SYS_INFO."),
    kill_enabled: flag(true, "proc_kill alone."),
    logs_enabled: flag(false, "sys_logs."),
  })
  .prefault({})
  .meta({ description: "Groups of tools that can be called." });

const fs = z
  .strictObject({
    stale_guard: choice(
      ["refuse", "warn", "off"],
      "refuse",
      "When somebody else changed a file since this session read it.",
    ),
    max_patch_bytes: whole(2 * MIB, { min: KIB, max: GIB }, "Largest file that is patched."),
    max_line_chars: whole(2000, { min: 80, max: 1_000_000 }, "A longer line is cut in what a read shows."),
  })
  .prefault({})
  .meta({ description: "Files." });

const undo = z
  .strictObject({
    enabled: flag(true, "Keep what a change destroys, so that fs_undo can bring it back."),
    max_bytes: whole(GIB, { min: 0, max: 1024 * GIB }, "What is kept at most, in bytes; the oldest makes room."),
    max_age_hours: amount(72, { min: 0.01, max: 87_600 }, "How long it is kept."),
  })
  .prefault({})
  .meta({ description: "The undo journal." });

const search = z
  .strictObject({
    max_scan_hits: whole(100_000, { min: 1, max: 100_000_000 }, "Hits counted exactly; beyond, a count is a minimum."),
  })
  .prefault({})
  .meta({ description: "Search." });

const percent = (initial: number, description: string) => amount(initial, { min: 0, max: 100 }, description);

const system = z
  .strictObject({
    sysinfo_cache_ms: whole(2000, { min: 0, max: 3_600_000 }, "SYS_INFO answers from a sample at most so old."),
    thresholds: z
      .strictObject({
        cpu_percent: percent(90, "CPU use that counts as an anomaly."),
        load_per_core: amount(2, { min: 0.01, max: 10_000 }, "Load average per core that counts as an anomaly."),
        memory_percent: percent(90, "Memory use that counts as an anomaly."),
        swap_percent: percent(60, "Swap use that counts as an anomaly."),
        disk_percent: percent(90, "Disk use that counts as an anomaly."),
        inodes_percent: percent(90, "Inode use that counts as an anomaly."),
        pressure_percent: percent(20, "Share of time stalled (PSI) that counts as an anomaly."),
      })
      .prefault({})
      .meta({ description: "From where on sys_snapshot calls something wrong." }),
  })
  .prefault({})
  .meta({ description: "System state." });

export const linuxOps = z
  .strictObject({ roots, commands, process_limits: processLimits, features, fs, undo, search, system })
  .prefault({})
  .meta({ description: "The linux.* tools." });
