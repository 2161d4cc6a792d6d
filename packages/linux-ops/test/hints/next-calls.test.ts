import type { NextStep } from "@llmc/te-system";
import { wireName, type AnyTool } from "@llmc/toolkit";
import { expect, test } from "vitest";
import { linuxTools } from "../../src/index.js";
import { nextCall } from "../../src/hints/next-calls.js";

const CALLS: { readonly [Id in NextStep["id"]]: readonly [Extract<NextStep, { readonly id: Id }>, string] } = {
  "busiest-processes": [{ id: "busiest-processes" }, 'linux_proc_list {"sort":"cpu"}'],
  "largest-processes": [{ id: "largest-processes" }, 'linux_proc_list {"sort":"mem"}'],
  "processes-named": [{ id: "processes-named", name: "nfs4" }, 'linux_proc_list {"name":"nfs4"}'],
  "process-tree": [{ id: "process-tree", pid: 7 }, 'linux_proc_tree {"pid":7}'],
  "list-folder": [{ id: "list-folder", path: "/var" }, 'linux_fs_list {"path":"/var","depth":1}'],
  "large-files": [{ id: "large-files", below: "/" }, 'linux_fs_list {"path":"/","sort":"size"}'],
  "kernel-log": [
    { id: "kernel-log", with: "read-only|I/O error" },
    'linux_sys_logs {"unit":"kernel","grep":"read-only|I/O error"}',
  ],
  cores: [{ id: "cores" }, 'linux_sys_snapshot {"include":["cores"]}'],
  mounts: [{ id: "mounts" }, 'linux_sys_snapshot {"include":["mounts"]}'],
  service: [{ id: "service", name: "cron.service" }, 'linux_sys_services {"name":"cron.service"}'],
};

test.for(Object.values(CALLS))("%j is a call that its tool takes", ([step, call]) => {
  expect(nextCall(step)).toBe(call);
  const [name = "", args = ""] = call.split(/ (.*)/s);
  const tool: AnyTool | undefined = linuxTools.find((each) => wireName(each.name) === name);
  expect(tool?.input.safeParse(JSON.parse(args)).success).toBe(true);
  for (const argument of Object.keys(JSON.parse(args) as object)) expect(tool?.unlisted ?? []).not.toContain(argument);
});

test("a tree of no process in particular is that of all", () => {
  expect(nextCall({ id: "process-tree" })).toBe("linux_proc_tree {}");
});
