import type { NextStep } from "@llmc/te-system";
import { expect, test } from "vitest";
import { linuxTools } from "../../src/index.js";
import { nextCall } from "../../src/hints/next-calls.js";

const CALLS: { readonly [Id in NextStep["id"]]: readonly [Extract<NextStep, { readonly id: Id }>, string] } = {
  "busiest-processes": [{ id: "busiest-processes" }, 'linux.proc_list {"sort":"cpu"}'],
  "largest-processes": [{ id: "largest-processes" }, 'linux.proc_list {"sort":"mem"}'],
  "processes-named": [{ id: "processes-named", name: "nfs4" }, 'linux.proc_list {"name":"nfs4"}'],
  "process-tree": [{ id: "process-tree", pid: 7 }, 'linux.proc_tree {"pid":7}'],
  "list-folder": [{ id: "list-folder", path: "/var" }, 'linux.fs_list {"path":"/var","depth":1}'],
  "large-files": [
    { id: "large-files", below: "/" },
    'linux.search_files {"root":"/","pattern":"*","type":"file","min_size":"100MB"}',
  ],
  "kernel-log": [
    { id: "kernel-log", with: "read-only|I/O error" },
    'linux.sys_logs {"unit":"kernel","grep":"read-only|I/O error"}',
  ],
  hardware: [{ id: "hardware" }, 'SYS_INFO {"info_type":"hardware"}'],
  mounts: [{ id: "mounts" }, 'linux.sys_snapshot {"include":["mounts"]}'],
  service: [{ id: "service", name: "cron.service" }, 'linux.sys_services {"name":"cron.service"}'],
};

test.for(Object.values(CALLS))("%j is a call that its tool takes", ([step, call]) => {
  expect(nextCall(step)).toBe(call);
  const [name = "", args = ""] = call.split(/ (.*)/s);
  const tool = linuxTools.find((each) => each.name === name);
  expect(tool?.input.safeParse(JSON.parse(args)).success).toBe(true);
});

test("a tree of no process in particular is that of all", () => {
  expect(nextCall({ id: "process-tree" })).toBe("linux.proc_tree {}");
});
