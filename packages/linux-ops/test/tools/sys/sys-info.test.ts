import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import os from "node:os";
import type { LinuxOps } from "../../../src/index.js";
import { expect, onTestFinished } from "vitest";
import type { InfoData } from "../../../src/tools/sys/info-result.js";
import { opsWith, test, textOf } from "../../helpers.js";

async function ask<Type extends keyof InfoData>(ops: LinuxOps, info_type: Type): Promise<InfoData[Type]> {
  const { data, timestamp, info_type: told } = await ops.call("SYS_INFO", { info_type });
  expect(told).toBe(info_type);
  expect(Math.abs(Date.parse(timestamp) - Date.now())).toBeLessThan(60_000);
  return data as InfoData[Type];
}

const SIZE = /^\d+(\.\d)?(B|KB|MB|GB|TB|PB)$/;

test("memory, as free has it", async ({ ops }) => {
  const data = await ask(ops, "memory");
  const [, total = 0, , , , , available = 0] =
    execFileSync("free", ["-b"], { encoding: "utf8" }).split("\n")[1]?.split(/\s+/).map(Number) ?? [];

  for (const field of ["total", "used", "free", "available", "swap_total", "swap_used"] as const)
    expect(data[field]).toMatch(SIZE);
  expect(data.total_bytes).toBe(total);
  expect(Math.abs((data.available_bytes ?? 0) - available) / total).toBeLessThan(0.1);
  expect(data.used_bytes).toBe(total - (data.available_bytes ?? 0));
});

test("disks, as df has them", async ({ ops }) => {
  const { filesystems } = await ask(ops, "disk");
  const [device, size, use] =
    execFileSync("df", ["-B1", "--output=source,size,pcent", "/"], { encoding: "utf8" }).split("\n")[1]?.split(/\s+/) ??
    [];
  const root = filesystems?.find(({ mount_point }) => mount_point === "/");

  expect(root).toMatchObject({ device, size_bytes: Number(size), size: expect.stringMatching(SIZE) });
  expect(root?.use_percent).toMatch(/^\d+%$/);
  expect(Math.abs(Number.parseInt(root?.use_percent ?? "", 10) - Number.parseInt(use ?? "", 10))).toBeLessThanOrEqual(
    2,
  );
});

test("processors", async ({ ops }) => {
  const data = await ask(ops, "cpu");

  expect(data).toMatchObject({
    architecture: os.machine(),
    threads: readFileSync("/proc/cpuinfo", "utf8").match(/^processor\s*:/gm)?.length,
    current_usage: expect.stringMatching(/^\d+%$/),
    load_average: [expect.any(Number), expect.any(Number), expect.any(Number)],
  });
  expect(data.cores).toBeLessThanOrEqual(data.threads ?? 0);
  expect(data.current_usage_percent).toBeLessThanOrEqual(100);
});

test("interfaces with their addresses and rates", async ({ ops }) => {
  const { interfaces } = await ask(ops, "network");

  expect(interfaces.map(({ name }) => name).toSorted()).toEqual(readdirSync("/sys/class/net").toSorted());
  expect(interfaces.find(({ name }) => name === "lo")).toMatchObject({
    status: "up",
    mac: null,
    addresses: expect.arrayContaining(["127.0.0.1/8"]),
    rates: { rx_bytes_per_sec: expect.any(Number), tx_bytes_per_sec: expect.any(Number) },
  });
});

test("hardware, and the operating system", async ({ ops }) => {
  const hardware = await ask(ops, "hardware");
  const system = await ask(ops, "os");

  expect(hardware).toMatchObject({ memory: expect.stringMatching(SIZE), disks: expect.any(Array) });
  expect(hardware.disks.map(({ name }) => name).every((name) => readdirSync("/sys/block").includes(name))).toBe(true);
  expect(system).toMatchObject({
    kernel: os.release(),
    hostname: os.hostname(),
    architecture: os.machine(),
    distribution: expect.any(String),
    uptime: expect.stringMatching(/^\d+ (d|h|min|s)/),
  });
});

test("the text has a line for each part, and no JSON", async ({ root }) => {
  const text = (info_type: string): Promise<string> => textOf(root, "SYS_INFO", { info_type });
  expect(await text("memory")).toMatch(/^RAM \S+: \S+ used, \S+ available, \S+ free\nswap \S+: \S+ used$/);
  expect(await text("disk")).toMatch(/(?:^|\n)\/ \S+ \S+: \d+% of \S+, \S+ left/);
  expect(await text("cpu")).toMatch(/ cores, \d+ threads, \S+\nused \d+%, load [\d.]+ [\d.]+ [\d.]+/);
  expect(await text("network")).toMatch(/(?:^|\n)lo: up, 127\.0\.0\.1\/8/);
  expect(await text("os")).toMatch(new RegExp(`, kernel ${os.release()}, ${os.machine()}\\n${os.hostname()}, up \\d`));
  for (const type of ["memory", "disk", "cpu", "network", "hardware", "os"])
    expect([type, await text(type)]).toEqual([type, expect.not.stringMatching(/[{}"]/)]);
});

test("an answer is kept as long as the operator says", async ({ root }) => {
  const [keeping, measuring] = [60_000, 0].map((sysinfo_cache_ms) =>
    opsWith(root, { linux_ops: { system: { sysinfo_cache_ms } } }),
  ) as [LinuxOps, LinuxOps];
  onTestFinished(async () => void (await Promise.all([keeping.close(), measuring.close()])));
  const twice = async (ops: LinuxOps): Promise<unknown[]> => {
    const first = await ops.call("SYS_INFO", { info_type: "os" });
    // The clock of timestamps has moved on.
    while (Date.now() <= Date.parse(first.timestamp));
    return [first.timestamp, (await ops.call("SYS_INFO", { info_type: "os" })).timestamp];
  };

  const [first, second] = await twice(keeping);
  expect(second).toBe(first);
  const [third, fourth] = await twice(measuring);
  expect(fourth).not.toBe(third);
});

test("an unknown type is an error that lists the types", async ({ root }) => {
  await expect(textOf(root, "SYS_INFO", { info_type: "gpu" })).rejects.toMatchObject({
    code: "INVALID_ARGUMENT",
    message: 'SYS_INFO: info_type is "gpu"; it must be one of "memory", "disk", "cpu", "network", "hardware", "os"',
  });
});
