import type { NextStep } from "@llmc/te-system";
import { wireName } from "@llmc/toolkit";

type Facts<Id extends NextStep["id"]> = Extract<NextStep, { readonly id: Id }>;
type Call = readonly [tool: string, args: Readonly<Record<string, unknown>>];

/** The call for each next step of an anomaly. */
const CALLS: { readonly [Id in NextStep["id"]]: (facts: Facts<Id>) => Call } = {
  "busiest-processes": () => ["linux.proc_list", { sort: "cpu" }],
  "largest-processes": () => ["linux.proc_list", { sort: "mem" }],
  "processes-named": ({ name }) => ["linux.proc_list", { name }],
  "process-tree": ({ pid }) => ["linux.proc_tree", { pid }],
  "list-folder": ({ path }) => ["linux.fs_list", { path, depth: 1 }],
  "large-files": ({ below }) => ["linux.fs_list", { path: below, sort: "size" }],
  "kernel-log": ({ with: texts }) => ["linux.sys_logs", { unit: "kernel", grep: texts }],
  cores: () => ["linux.sys_snapshot", { include: ["cores"] }],
  mounts: () => ["linux.sys_snapshot", { include: ["mounts"] }],
  service: ({ name }) => ["linux.sys_services", { name }],
};

/** The call as a model writes it. */
export function nextCall(step: NextStep): string {
  const call = CALLS[step.id] as (facts: NextStep) => Call;
  const [tool, args] = call(step);
  return `${wireName(tool)} ${JSON.stringify(args)}`;
}
