import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { settingsOf } from "@llmc/config";
import { describeTool, inputSchemaOf, outputSchemaOf, wireName, type AnyTool } from "@llmc/toolkit";
import { expect, test } from "vitest";
import { z } from "zod";
import { linuxTools } from "../src/index.js";

const tools: readonly AnyTool[] = linuxTools;
const each = tools.map((tool) => [tool.name, tool] as const);

test("names are unique in both forms and fit every client", () => {
  const names = tools.map((tool) => wireName(tool.name));
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^[A-Za-z][A-Za-z0-9_]{0,45}$/);
});

test.for(each)("%s: one-line description, all four hints, a known toolset and known switches", ([, tool]) => {
  expect(tool.description).toMatch(/^[A-Z][^\n]{5,110}\.$/);
  expect(Object.values(tool.annotations).map((hint) => typeof hint)).toEqual(Array(4).fill("boolean"));
  expect(tool.annotations.readOnlyHint && tool.annotations.destructiveHint).toBe(false);
  expect(KNOWN_TOOLSETS).toContain(tool.toolset);
  const { mcp } = settingsOf({});
  for (const feature of tool.features) {
    const value = feature.split(".").reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], { mcp });
    expect([feature, typeof value]).toEqual([feature, "boolean"]);
  }
});

const KNOWN_TOOLSETS = [
  "fs",
  "search",
  "patch",
  "proc",
  "repl",
  "sys",
  "handles",
  "stats",
  "onboarding",
  "te",
  "rag",
  "compat",
  "linuxagent",
];

test.for(each)(
  "%s: no combinator at the top, every integer, string and list bounded, every default valid",
  ([, tool]) => {
    const schema = z.toJSONSchema(tool.input, { io: "input", target: "draft-7" }) as Record<string, unknown>;
    for (const key of ["anyOf", "oneOf", "allOf"]) expect(schema).not.toHaveProperty(key);
    expect(schema["additionalProperties"]).toBe(false);
    for (const [name, property] of Object.entries(schema["properties"] ?? {})) {
      checkBounds(name, property as Record<string, unknown>);
      const field = tool.input.shape[name] as z.ZodType;
      const given = (property as { default?: unknown }).default;
      if (given !== undefined) expect([name, field.safeParse(given).success]).toEqual([name, true]);
    }
  },
);

function checkBounds(name: string, property: Record<string, unknown>): void {
  if (property["type"] === "integer")
    expect(property, name).toMatchObject({ minimum: expect.any(Number), maximum: expect.any(Number) });
  if (property["type"] === "string" && property["enum"] === undefined)
    expect(property, name).toHaveProperty("maxLength");
  if (property["type"] === "array") {
    expect(property, name).toHaveProperty("maxItems");
    checkBounds(`${name}[]`, property["items"] as Record<string, unknown>);
  }
}

test.for(each)("%s: every unlisted or logged argument exists", ([, tool]) => {
  const known = Object.keys(tool.input.shape);
  for (const name of [...(tool.unlisted ?? []), ...(tool.logs?.args ?? [])]) expect(known).toContain(name);
});

test("a tool is found by its name: linux.fs_read is tools/fs/read.ts, run_cmd is a run-cmd.ts, and back", () => {
  const folder = join(import.meta.dirname, "../src/tools");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  const defining = files.filter((file) => readFileSync(join(folder, file), "utf8").includes("= defineTool({"));
  const found = tools.map(({ name }) => defining.find((file) => isFileOf(name, file)) ?? name);
  expect(found.sort()).toEqual(defining.sort());
});

/** The seeds' other names have no toolset in them. */
function isFileOf(name: string, file: string): boolean {
  const [first = "", ...rest] = name
    .replace(/^linux\./, "")
    .toLowerCase()
    .split("_");
  return name.startsWith("linux.")
    ? file === `${first}/${rest.join("-")}.ts`
    : basename(file) === `${[first, ...rest].join("-")}.ts`;
}

test.for(each)("%s: the schemas are the committed ones (update the snapshot on purpose)", async ([name, tool]) => {
  const schemas = {
    listed: describeTool(tool, { names: "underscore", outputSchema: false }),
    input: inputSchemaOf(tool, { unlisted: true }),
    output: outputSchemaOf(tool),
  };
  await expect(`${JSON.stringify(schemas, null, 2)}\n`).toMatchFileSnapshot(`__schemas__/${wireName(name)}.json`);
});

// The seeds' own words. A schema may gain optional fields; no name, default or bound of these may change.
const SEEDS: Record<string, { args: Record<string, object>; result: string[] }> = {
  "linux.fs_read": {
    args: {
      path: { type: "string" },
      offset_lines: { type: "integer", minimum: 0, default: 0 },
      max_lines: { type: "integer", minimum: 1, maximum: 2000, default: 200 },
    },
    result: ["content", "handle", "meta"],
  },
  "linux.fs_list": {
    args: {
      path: { type: "string" },
      depth: { type: "integer", minimum: 0, maximum: 10, default: 2 },
      include_hidden: { type: "boolean", default: false },
      file_glob: { type: ["string", "null"] },
      max_entries: { type: "integer", default: 500 },
    },
    result: ["entries", "truncated", "handle"],
  },
  "linux.fs_write": {
    args: {
      path: { type: "string" },
      content: { type: "string" },
      mode: { type: "string", enum: ["rewrite", "append"], default: "rewrite" },
      expected_sha256: {},
    },
    result: ["bytes_written", "new_sha256"],
  },
  "linux.fs_move": {
    args: { source: { type: "string" }, target: { type: "string" } },
    result: ["ok", "source", "target"],
  },
  "linux.fs_delete": {
    args: { path: { type: "string" }, recursive: { type: "boolean", default: false } },
    result: ["ok", "path", "removed", "undo"],
  },
  // 002 section 3.3
  "linux.fs_patch_block": {
    args: {
      path: { type: "string" },
      old_text: { type: "string" },
      new_text: { type: "string" },
      expected_replacements: { type: "integer", default: 1 },
    },
    result: ["replacements_made", "before_snippet", "after_snippet"],
  },
  "linux.fs_apply_diff": {
    args: { diff_text: { type: "string" } },
    result: ["files_modified", "backups_created", "message"],
  },
  "linux.fs_mkdirs": {
    args: { path: { type: "string" }, exist_ok: { type: "boolean", default: true } },
    result: ["ok", "path", "created", "undo"],
  },
  "linux.search_content": {
    args: {
      root: { type: "string" },
      pattern: { type: "string" },
      file_glob: { type: ["string", "null"] },
      literal: { type: "boolean", default: false },
      ignore_case: { type: "boolean", default: true },
      context_lines: { type: "integer", minimum: 0, maximum: 10, default: 3 },
      max_results: { type: "integer", minimum: 1, maximum: 1000, default: 100 },
    },
    result: ["hits", "total_hits", "truncated", "handle"],
  },
  "linux.search_files": {
    args: {
      root: { type: "string" },
      pattern: { type: "string" },
      file_glob: { type: ["string", "null"] },
      max_results: { type: "integer", minimum: 1, maximum: 2000, default: 200 },
    },
    result: ["hits", "total_hits", "truncated", "handle"],
  },
  // Seed 000 section 4
  "linux.proc_list": {
    args: {
      max_results: { type: "integer", minimum: 1, maximum: 5000, default: 200 },
      user: { type: ["string", "null"] },
    },
    result: ["processes", "total_processes", "truncated"],
  },
  "linux.proc_kill": {
    args: {
      pid: { type: "integer" },
      signal: { type: "string", enum: expect.arrayContaining(["TERM", "KILL", "INT", "HUP"]), default: "TERM" },
    },
    result: ["success", "message"],
  },
  // 002 section 3.5
  "linux.proc_start": {
    args: { command: { type: "string" }, cwd: { type: ["string", "null"] }, env: {} },
    result: ["proc_id", "pid", "first_output", "state"],
  },
  "linux.proc_send": { args: { proc_id: { type: "string" }, input: { type: "string" } }, result: ["acknowledged"] },
  "linux.proc_read": {
    args: { proc_id: { type: "string" }, timeout_ms: { type: "integer", default: 1000 } },
    result: ["output", "state"],
  },
  "linux.proc_stop": {
    args: { proc_id: { type: "string" }, signal: { type: "string", default: "TERM" } },
    result: ["stopped", "state", "exit_code", "signal", "output"],
  },
  "linux.proc_sessions": { args: {}, result: ["processes"] },
  "linux.proc_tree": { args: { pid: {}, depth: { type: "integer" } }, result: ["nodes"] },
  // 000 section 5.2
  "linux.sys_snapshot": {
    args: {},
    result: ["cpu_percent", "load_avg", "mem_used_mb", "mem_total_mb", "disks", "short_summary"],
  },
  // Seed 003
  SYS_INFO: {
    args: { info_type: { type: "string", enum: ["memory", "disk", "cpu", "network", "hardware", "os"] } },
    result: ["info_type", "data", "timestamp"],
  },
  // Seed 004 section 5.4: what POST /tool answers.
  read_file: { args: { path: { type: "string" } }, result: ["data", "meta"] },
  list_dir: { args: { path: { type: "string" } }, result: ["data", "meta"] },
  stat: { args: { path: { type: "string" } }, result: ["data"] },
  // contracts section 4
  "linux.handle_read": {
    args: {
      handle: { type: "string" },
      offset: { type: "integer", minimum: 0, default: 0 },
      limit: { type: "integer", minimum: 1, maximum: 1_048_576, default: 16_384 },
    },
    result: ["data", "encoding", "offset", "bytes", "next_offset", "total_bytes", "type", "meta"],
  },
};

test.for(Object.entries(SEEDS))("%s: no name, default or bound of the seed has changed", ([name, seed]) => {
  const tool = tools.find((one) => one.name === name);
  expect(tool).toBeDefined();
  expect(inputSchemaOf(tool as AnyTool, { unlisted: true })["properties"]).toMatchObject(seed.args);
  expect(Object.keys((tool as AnyTool).output.shape)).toEqual(expect.arrayContaining(seed.result));
});
