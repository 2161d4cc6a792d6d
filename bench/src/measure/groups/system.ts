import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Goal, Row } from "../../report/row.js";
import type { Group } from "../context.js";
import { interleave, type Contender } from "../interleave.js";
import { startChild, type LineChild } from "../lines.js";
import { compare } from "../rows.js";
import { OURS, type Places } from "../servers.js";
import { startWorker, type Worker } from "../worker.js";

const GROUP = "The state of the machine, in process";
const FLOOR = "C floor: the same files";
const ROUNDS = 400;
const WITHIN: Goal = { of: "ratio", atMost: 5 };
const AT_ONCE: Goal = { of: "median", atMost: 1 };
const TYPES = ["memory", "disk", "cpu", "network", "hardware", "os"] as const;

/** `sys_snapshot` with a warm sample, beside what others take for the same figures; then each type of SYS_INFO. */
export const system: Group = async ({ places, rounds }) => {
  await using worker = startWorker(places);
  const { contenders, end } = others(places);
  try {
    const ours: Contender = { subject: OURS, once: async () => (await worker.run("snapshot")).ms };
    const outcomes = await interleave([...contenders, ours], { warmup: 20, rounds: rounds(ROUNDS) });
    const about = { group: GROUP, unit: "ms", outcomes } as const;
    const held = compare({
      ...about,
      case: "`sys_snapshot` with a warm sample",
      base: FLOOR,
      goals: { [OURS]: WITHIN },
    });
    const own = compare({ ...about, case: "`sys_snapshot`: a call", goals: { [OURS]: AT_ONCE } });
    return [...held, ...own.filter(({ subject }) => subject === OURS), ...(await infos(worker, rounds(ROUNDS / 4)))];
  } finally {
    await end();
  }
};

async function infos(worker: Worker, count: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (const type of TYPES) {
    const ours: Contender = { subject: OURS, once: async () => (await worker.run("sysInfo", { type })).ms };
    const outcomes = await interleave([ours], { warmup: 5, rounds: count });
    rows.push(
      ...compare({
        group: GROUP,
        case: `\`SYS_INFO\` ${type}, not kept`,
        unit: "ms",
        outcomes,
        goals: { [OURS]: { of: "median", atMost: 2 } },
      }),
    );
  }
  return rows;
}

function others({ work, build, fixtures }: Places): {
  readonly contenders: readonly Contender[];
  readonly end: () => Promise<void>;
} {
  const children: LineChild[] = [];
  const contender = (subject: string, open: () => { file: string; args: readonly string[] }): Contender => {
    let child: LineChild | undefined;
    let id = 0;
    return {
      subject,
      optional: true,
      async once() {
        if (child === undefined)
          children.push((child = startChild({ ...open(), cwd: work, env: { PATH: "/usr/bin:/bin" } })));
        const { result, error } = await child.ask({ id: ++id, case: "snapshot" });
        if (error !== undefined) throw new Error(error.message);
        return (result as { ms: number }).ms;
      },
    };
  };
  return {
    contenders: [
      contender(FLOOR, () => ({
        file: compiled(join(fixtures, "system-floor.c"), work),
        args: [...files(), "--", ...points()],
      })),
      contender("psutil", () => ({ file: "/usr/bin/python3", args: [join(fixtures, "psutil-snapshot.py")] })),
      contender("systeminformation", () => ({
        file: process.execPath,
        args: [join(build, "systeminformation-snapshot/main.js")],
      })),
    ],
    end: async () => void (await Promise.all(children.map((child) => child.end()))),
  };
}

function compiled(source: string, work: string): string {
  const program = join(work, "system-floor");
  execFileSync("cc", ["-O2", "-o", program, source]);
  return program;
}

const MACHINE = [
  "stat",
  "vmstat",
  "net/dev",
  "self/cgroup",
  "self/mountinfo",
  "loadavg",
  "uptime",
  "meminfo",
  "pressure/cpu",
  "pressure/memory",
  "pressure/io",
];
const OF_GROUP: Readonly<Record<string, readonly string[]>> = {
  "": [
    "memory.max",
    "memory.current",
    "memory.stat",
    "memory.events",
    "cpu.max",
    "cpu.stat",
    "pids.max",
    "pids.current",
  ],
  memory: ["memory.limit_in_bytes", "memory.usage_in_bytes", "memory.stat", "memory.oom_control"],
  cpu: ["cpu.cfs_quota_us", "cpu.cfs_period_us", "cpu.stat"],
  cpuacct: ["cpuacct.usage"],
  pids: ["pids.max", "pids.current"],
};

/** Those that our handler reads: of the machine, and of the group that it runs in, once each. */
function files(): string[] {
  const mount = "/sys/fs/cgroup";
  const lines = readFileSync("/proc/self/cgroup", "utf8").split("\n").filter(Boolean);
  const isUnified = existsSync(`${mount}/cgroup.controllers`);
  const groups = lines.flatMap((line) => {
    const [, controllers = "", path = "/"] = line.split(":");
    const names = isUnified
      ? controllers === ""
        ? [""]
        : []
      : controllers.split(",").filter((name) => name in OF_GROUP && name !== "");
    return names.flatMap((name) => (OF_GROUP[name] ?? []).map((file) => join(mount, name, path, file)));
  });
  return [...MACHINE.map((name) => `/proc/${name}`), ...groups.filter((file) => existsSync(file))];
}

/** What df would ask: a floor needs no judgement of which are worth a row. */
function points(): string[] {
  const lines = readFileSync("/proc/self/mountinfo", "utf8").split("\n");
  const kinds = new Set(["ext4", "xfs", "btrfs", "overlay", "tmpfs", "zfs"]);
  const found = lines
    .filter((line) => kinds.has(line.split(" - ")[1]?.split(" ")[0] ?? ""))
    .map((line) => line.split(" ")[4] ?? "/");
  return [...new Set(found)].filter(
    (point) => !/^\/(dev|sys|proc)(?!\/shm)/.test(point) && readdirSync("/").length > 0,
  );
}
