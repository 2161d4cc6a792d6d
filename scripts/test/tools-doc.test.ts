import type { AnyTool } from "@llmc/toolkit";
import { expect, test } from "vitest";
import { z } from "zod";
import { toolsDoc } from "../src/tools-doc.js";

const tool: AnyTool = {
  name: "linux.fs_read",
  description: "Read a | b.",
  toolset: "fs",
  features: ["mcp.linux_ops.features.fs_enabled"],
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    path: z.string().min(1).describe("Where."),
    max_lines: z.int().min(1).max(2000).default(200),
    kinds: z
      .array(z.enum(["a", "b"]))
      .max(5)
      .optional(),
  }),
  output: z.strictObject({
    handle: z.string().nullable().describe("All of it."),
    rows: z.array(z.strictObject({ n: z.int().optional() })),
    found: z.record(z.string(), z.string().nullable()),
  }),
  unlisted: ["kinds"],
  handler: async () => ({}),
};

test("a tool's section has all that its definition has, unlisted arguments included", () => {
  const doc = toolsDoc([tool]);

  expect(doc.slice(doc.indexOf("| tool"))).toBe(`| tool | toolset | does |
| --- | --- | --- |
| [linux.fs_read](#linuxfs_read) | fs | Read a \\| b. |

## linux.fs_read

Read a | b.

- On the MCP wire: \`linux_fs_read\`
- Toolset: \`fs\`
- Switched by: \`mcp.linux_ops.features.fs_enabled\`
- Hints: readOnly: yes, destructive: no, idempotent: yes, openWorld: no

| parameter | type | default | meaning |
| --- | --- | --- | --- |
| \`path\` | \`string\` | required | Where. (not empty) |
| \`max_lines\` | \`integer\` | \`200\` | at least 1, at most 2000 |
| \`kinds\` *unlisted* | \`("a" \\| "b")[]\` | – | at most 5 items |

Result:

\`\`\`ts
{
  handle: string | null  // All of it.
  rows: {
    n?: integer
  }[]
  found: { [name]: string | null }
}
\`\`\`
`);
});
