import { InvalidArgumentError, OpsError } from "@llmc/errors";
import { describe, expect, test } from "vitest";
import { createListedNames } from "../src/protocol/listed-names.js";
import { createDemo } from "./demo.js";
import { connect } from "./in-memory.js";

const names = createListedNames(createDemo().options.dispatcher.tools);

describe("a sentence for a client that lists linux_fs_read", () => {
  test.each([
    ["Use linux.fs_read.", "Use linux_fs_read."],
    ["linux.fs_read, with encoding", "linux_fs_read, with encoding"],
    ["(linux.fs_delete does even now)", "(linux_fs_delete does even now)"],
    ["linux.fs_read; linux.handle_read", "linux_fs_read; linux_handle_read"],
    // No tools of ours.
    ["linux.fs_reads or my.linux.fs_read", "linux.fs_reads or my.linux.fs_read"],
    ["linux.fs_read.ts, linux.fs_read/x, linux.fs_read-old", "linux.fs_read.ts, linux.fs_read/x, linux.fs_read-old"],
    // Paths, and what is quoted.
    ["list /srv/linux.fs_read.", "list /srv/linux.fs_read."],
    ['"linux.fs_read" is unknown, `linux.fs_read` too', '"linux.fs_read" is unknown, `linux.fs_read` too'],
    ["the operator can change mcp.linux_ops.features", "the operator can change mcp.linux_ops.features"],
  ])("%s", (text, told) => {
    expect(names.inText(text, "underscore")).toBe(told);
    expect(names.inText(text, "dotted")).toBe(text);
  });
});

describe("an error", () => {
  const told = (error: OpsError, called = "linux.fs_read") => {
    const { code, message, hint } = names.inError(error, called, "underscore").toEnvelope("c");
    return [code, message, hint];
  };

  test("names the tool whose it is, at its beginning, and the tools of its hint", () => {
    expect(told(new InvalidArgumentError("linux.fs_read: path is missing", "Use linux.fs_delete."))).toEqual([
      "INVALID_ARGUMENT",
      "linux_fs_read: path is missing",
      "Use linux_fs_delete.",
    ]);
  });

  test("leaves alone what else its message holds", () => {
    const message = "a line with linux.fs_read is not there:\n- linux.fs_read(path)";
    expect(told(new OpsError("PATCH_FAILED", message))).toEqual(["PATCH_FAILED", message, undefined]);
    for (const file of ["linux.fs_read.txt does not exist", "linux.fs_read does not exist"])
      expect(told(new OpsError("NOT_FOUND", file))).toEqual(["NOT_FOUND", file, undefined]);
  });

  test("keeps its facts, and is itself not changed", () => {
    const error = new OpsError("STALE_FILE", "x", { hint: "Use linux.fs_read.", details: { sha256: "abc" } });
    expect(names.inError(error, "linux.fs_delete", "underscore").toEnvelope("c")).toEqual({
      code: "STALE_FILE",
      message: "x",
      hint: "Use linux_fs_read.",
      sha256: "abc",
      correlation_id: "c",
    });
    expect(error.hint).toBe("Use linux.fs_read.");
    expect(names.inError(error, "linux.fs_delete", "dotted")).toBe(error);
  });
});

test.each([
  ["underscore", "my agent", "linux_fs_read"],
  ["dotted", "claude-ai", "linux.fs_read"],
  ["auto", "claude-ai", "linux_fs_read"],
  ["auto", "my agent", "linux.fs_read"],
] as const)("with names = %s %s reads of %s, whichever name it called", async (form, client, name) => {
  await using connected = await connect(createDemo({ mcp: { tools: { names: form } } }), { name: client });
  for (const called of ["linux_fs_read", "linux.fs_read"]) {
    const refused = await connected.client.callTool({ name: called, arguments: {} });
    expect(refused).toMatchObject({
      content: [{ text: `INVALID_ARGUMENT: ${name}: path is missing; it must be a string` }],
      structuredContent: { message: `${name}: path is missing; it must be a string` },
    });
  }
  await expect(connected.client.callTool({ name: "fs_raed", arguments: {} })).rejects.toMatchObject({
    data: { hint: `Did you mean ${name}?` },
  });
});
