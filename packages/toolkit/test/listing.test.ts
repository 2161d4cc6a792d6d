import { expect, test } from "vitest";
import { z } from "zod";
import { describeTool, inputSchemaOf, wireName } from "../src/index.js";
import { echo, reads, toolNamed } from "./fixture.js";

test("the listing has what a model needs and not a token more", () => {
  const tool = toolNamed("linux.x", async () => ({ said: "" }), {
    input: z.strictObject({
      path: z.string(),
      user: z.string().nullable().optional().describe("A user."),
      offset: z.int().min(0).default(0),
      limit: z.int().min(1).max(86_400_000).optional(),
      rare: z.boolean().default(false),
    }),
    unlisted: ["rare"],
  });
  expect(describeTool(tool, { names: "underscore", outputSchema: false })).toEqual({
    name: "linux_x",
    title: "linux.x",
    description: "Says a text.",
    inputSchema: {
      type: "object",
      properties: {
        path: { type: "string" },
        user: { type: "string", description: "A user." },
        offset: { type: "integer", default: 0 },
        limit: { type: "integer" },
      },
      required: ["path"],
    },
    annotations: reads,
  });
  expect(inputSchemaOf(tool, { unlisted: true })["properties"]).toMatchObject({
    user: { type: ["string", "null"] },
    limit: { minimum: 1, maximum: 86_400_000 },
    rare: {},
  });
});

test("dotted names are listed as the seeds write them, and an output schema only when asked for", () => {
  const listed = describeTool(echo, { names: "dotted", outputSchema: true });
  expect([listed.name, listed.title, listed.outputSchema]).toEqual([
    "linux.echo",
    undefined,
    { type: "object", properties: { said: { type: "string" } }, required: ["said"] },
  ]);
  expect(wireName("linux.fs_read")).toBe("linux_fs_read");
});
