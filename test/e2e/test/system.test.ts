import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { execa } from "execa";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { expect } from "vitest";
import { connectHttp, connectStdio, startHttp, test } from "./servers.js";

interface Snapshot {
  short_summary: string;
  anomalies: { severity: string; fact: string; likely_cause: string; next_call: string }[];
  cpu_percent: number;
  load_avg: number[];
  mem_used_mb: number;
  mem_total_mb: number;
  disks: { mount: string; used_percent: number }[];
}

async function call<T>(client: Client, name: string, args: Record<string, unknown> = {}): Promise<T> {
  const result = await client.callTool({ name, arguments: args });
  expect(result.isError ?? false, JSON.stringify(result.content)).toBe(false);
  return result.structuredContent as T;
}

test("sys_snapshot has CPU, load, memory and disks as free and df have them, with a summary (000-R7, 000-R8, 002-3.6.1, 002-L2-3, 002-L2-4, 002-L2-5)", async ({
  http,
  stdio,
}) => {
  const overHttp = await connectHttp(http);
  for (const client of [stdio.client, overHttp]) {
    const { cpu_percent, load_avg, mem_used_mb, mem_total_mb, disks, short_summary, anomalies } = await call<Snapshot>(
      client,
      "linux_sys_snapshot",
    );

    expect(cpu_percent).toBeGreaterThanOrEqual(0);
    expect(cpu_percent).toBeLessThanOrEqual(100);
    expect(load_avg).toHaveLength(3);
    const free = await execa("free", ["-m"]);
    const [, total = 0, , , , , available = 0] = free.stdout.split("\n")[1]?.split(/\s+/).map(Number) ?? [];
    expect(Math.abs(mem_total_mb - total)).toBeLessThanOrEqual(1);
    expect(Math.abs(mem_used_mb - (total - available)) / total).toBeLessThan(0.1);
    const df = await execa("df", ["--output=pcent", "/"]);
    const root = disks.find(({ mount }) => mount === "/");
    expect(
      Math.abs((root?.used_percent ?? 0) - Number.parseInt(df.stdout.split("\n")[1] ?? "", 10)),
    ).toBeLessThanOrEqual(2);
    // Whatever this machine is up to: the first line says it, and an anomaly says what to do.
    expect(short_summary).toMatch(anomalies.length === 0 ? /^All well: CPU/ : /^(CRITICAL|WARNING): .*; next: /);
  }
  await overHttp.close();
});

test("a model reads the machine, its services and its facts as text", async ({ stdio: { client } }) => {
  const text = async (name: string, args: Record<string, unknown> = {}): Promise<string> => {
    const { content } = await client.callTool({ name, arguments: args });
    return (content as { text: string }[]).map((block) => block.text).join("\n");
  };
  const snapshot = await text("linux_sys_snapshot");
  expect(snapshot).toMatch(/^(?:All well: CPU|(?:CRITICAL|WARNING): .*\. Next: linux_)/);
  expect(snapshot).not.toContain("short_summary");
  if (snapshot.startsWith("All well")) expect(countTokens(snapshot)).toBeLessThanOrEqual(60);
  expect(await text("linux_sys_snapshot", { include: ["mounts"] })).toMatch(/\n\/ \S+ \S+: [\d.]+% of /);
  expect(await text("SYS_INFO", { info_type: "memory" })).toMatch(/^RAM \S+: /);
  const listed = (await client.listTools()).tools.find(({ name }) => name === "linux_sys_snapshot");
  expect(Object.keys(listed?.inputSchema.properties ?? {})).toEqual(["include"]);
});

test("POST /tool answers the snapshot as well", async ({ http }) => {
  const { status, body } = await http.post("/tool", { session_id: "s", name: "linux.sys_snapshot", args: {} });

  expect([status, body["data"]]).toEqual([200, expect.objectContaining({ short_summary: expect.any(String) })]);
});

test("SYS_INFO tells all six types in the seed's fields, the same over both transports (003-2)", async ({
  http,
  stdio,
}) => {
  const overHttp = await connectHttp(http);
  const fields = {
    memory: ["total", "used", "free", "available", "swap_total", "swap_used"],
    disk: ["filesystems"],
    cpu: ["model", "cores", "threads", "architecture", "current_usage", "load_average"],
    network: ["interfaces"],
    hardware: ["cpu", "memory", "disks", "controllers", "virtualization"],
    os: ["kernel", "distribution", "version", "architecture", "hostname", "uptime"],
  };
  for (const [info_type, wanted] of Object.entries(fields)) {
    const answers = [];
    for (const client of [stdio.client, overHttp]) {
      const answer = await call<{ data: object; timestamp: string }>(client, "SYS_INFO", { info_type });
      expect(Object.keys(answer.data)).toEqual(expect.arrayContaining(wanted));
      answers.push(answer.data);
    }
    expect(Object.keys(answers[1] ?? {})).toEqual(Object.keys(answers[0] ?? {}));
  }
  const { status, body } = await http.post("/tool", { session_id: "s", name: "SYS_INFO", args: { info_type: "gpu" } });
  expect([status, body["code"], String(body["message"])]).toEqual([
    422,
    "BAD_ARGS",
    expect.stringContaining('"memory"'),
  ]);
  await overHttp.close();
});

/** A program that answers as the script says; the machines of these tests have no systemd. */
function plantProgram(folder: string, name: string, script: string): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, name), 0o755);
  return folder;
}

test("sys_services lists what is wrong first, then what runs (000-R10, 002-3.6.2)", async ({ root, home }) => {
  const units = [
    ["broken.service", "failed", "failed", "Broken"],
    ["cron.service", "active", "running", "Regular jobs"],
  ].map(([unit, active, sub, description]) => ({ unit, load: "loaded", active, sub, description }));
  const script = `case "$1" in list-units) printf '%s' '${JSON.stringify(units)}';; show) printf 'Id=broken.service\\nResult=signal\\nExecMainCode=2\\nExecMainStatus=11\\n';; esac`;
  const folder = plantProgram(join(home, "programs"), "systemctl", script);
  const args = ["--set", `mcp.linux_ops.commands.path_extra=${folder}`];
  const stdio = await connectStdio(root, home, "e2e", args);
  const server = await startHttp(root, home, args);
  const overHttp = await connectHttp(server);
  for (const client of [stdio.client, overHttp]) {
    const answer = await call<{ services: object[]; counts: object; truncated: boolean }>(client, "linux_sys_services");
    expect(answer).toEqual({
      services: [
        {
          name: "broken.service",
          description: "Broken",
          state: "failed",
          sub_state: "failed",
          why: "it was ended by SIGSEGV (a crash)",
        },
        { name: "cron.service", description: "Regular jobs", state: "active", sub_state: "running" },
      ],
      counts: { failed: 1, running: 1 },
      truncated: false,
    });
  }
  await Promise.all([stdio.client.close(), overHttp.close()]);
  await server.stop();
});

test("where systemd is not, sys_services says so, and what is there instead", async ({ root, home }) => {
  const script = 'echo "System has not been booted with systemd as init system (PID 1). Can\'t operate." >&2; exit 1';
  const folder = plantProgram(join(home, "programs"), "systemctl", script);
  const { client } = await connectStdio(root, home, "e2e", ["--set", `mcp.linux_ops.commands.path_extra=${folder}`]);
  const answer = await client.callTool({ name: "linux_sys_services", arguments: {} });

  expect(answer).toMatchObject({
    isError: true,
    structuredContent: { code: "ENGINE_UNAVAILABLE", message: expect.stringContaining("the first process is ") },
  });
  await client.close();
});

test("sys_logs returns a bounded tail of the logs once it is opened (000-R11)", async ({ root, home }) => {
  const lines = Array.from({ length: 300 }, (_, index) =>
    JSON.stringify({
      __CURSOR: `s=1;i=${index};b=${"a".repeat(32)};m=1;t=1;x=1`,
      __REALTIME_TIMESTAMP: String((1_763_500_000 - index) * 1e6),
      SYSLOG_IDENTIFIER: "app",
      PRIORITY: "6",
      MESSAGE: index === 7 ? "password=hunter2secret" : `request ${index}`,
    }),
  );
  const folder = plantProgram(join(home, "programs"), "journalctl", `cat "${join(home, "programs/journal")}"`);
  writeFileSync(join(folder, "journal"), `${lines.join("\n")}\n`);
  const args = [
    "--set",
    `mcp.linux_ops.commands.path_extra=${folder}`,
    "--set",
    "mcp.linux_ops.features.logs_enabled=true",
  ];
  const stdio = await connectStdio(root, home, "e2e", args);
  const server = await startHttp(root, home, args);
  const overHttp = await connectHttp(server);
  for (const client of [stdio.client, overHttp]) {
    const answer = await call<{ lines: string[]; templates: object[]; truncated: boolean; handle: string }>(
      client,
      "linux_sys_logs",
    );
    expect(answer.lines).toEqual([expect.stringMatching(/app: password=\*\*\*$/)]);
    expect(answer.templates).toMatchObject([{ text: "app: request *", count: 99 }]);
    expect(answer.truncated).toBe(true);
    const all = await call<{ data: string }>(client, "linux_handle_read", { handle: answer.handle });
    expect(all.data.trim().split("\n")).toHaveLength(100);
  }
  await Promise.all([stdio.client.close(), overHttp.close()]);
  await server.stop();
});

test("sys_logs is closed until the operator opens it", async ({ stdio }) => {
  expect(await stdio.client.callTool({ name: "linux_sys_logs", arguments: {} })).toMatchObject({
    isError: true,
    structuredContent: { code: "FEATURE_DISABLED" },
  });
});
