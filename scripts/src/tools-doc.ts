import { wireName, type AnyTool } from "@llmc/toolkit";
import { z } from "zod";
import { table } from "./markdown.js";
import { boundsOf, shapeOf, type Schema } from "./schema-shape.js";

/** docs/tools.md: one section a tool, in the order of the catalogue, from the same objects that the server lists. */
export function toolsDoc(tools: readonly AnyTool[]): string {
  return `# Tools

Names are accepted in both forms, with a dot and with an underscore, on every entry. An argument that is marked *unlisted*
is left out of \`tools/list\` to save tokens, and accepted everywhere all the same. Which toolsets are listed, and what is
switched off, is in [config.md](config.md).

${table(
  ["tool", "toolset", "does"],
  tools.map((tool) => [`[${tool.name}](#${anchor(tool.name)})`, tool.toolset, tool.description]),
)}

${tools.map(section).join("\n")}`;
}

function section(tool: AnyTool): string {
  return `## ${tool.name}

${tool.description}

${facts(tool).join("\n")}

${parameters(tool)}

Result:

\`\`\`ts
${shapeOf(fullSchema(tool.output, "output"))}
\`\`\`
`;
}

function facts({ name, toolset, features, annotations }: AnyTool): string[] {
  const hints = Object.entries(annotations).map(
    ([hint, value]) => `${hint.replace(/Hint$/, "")}: ${value ? "yes" : "no"}`,
  );
  return [
    ...(wireName(name) === name ? [] : [`- On the MCP wire: \`${wireName(name)}\``]),
    `- Toolset: \`${toolset}\``,
    `- Switched by: ${features.map((key) => `\`${key}\``).join(", ") || "nothing"}`,
    `- Hints: ${hints.join(", ")}`,
  ];
}

function parameters(tool: AnyTool): string {
  const { properties = {}, required = [] } = fullSchema(tool.input, "input");
  const rows = Object.entries(properties).map(([name, schema]) => [
    `\`${name}\`${tool.unlisted?.includes(name) ? " *unlisted*" : ""}`,
    `\`${shapeOf(schema)}\``,
    defaultOf(name, schema, required),
    meaning(schema),
  ]);
  return rows.length === 0 ? "No parameters." : table(["parameter", "type", "default", "meaning"], rows);
}

// The listing leaves out what a model can do without; this is for people, and complete.
function fullSchema(schema: z.ZodObject, io: "input" | "output"): Schema {
  return z.toJSONSchema(schema, { io, target: "draft-7" }) as Schema;
}

function meaning(schema: Schema): string {
  const bounds = boundsOf(schema);
  if (schema.description === undefined) return bounds;
  return bounds === "" ? schema.description : `${schema.description} (${bounds})`;
}

function defaultOf(name: string, schema: Schema, required: readonly string[]): string {
  if (schema.default !== undefined) return `\`${JSON.stringify(schema.default)}\``;
  return required.includes(name) ? "required" : "–";
}

/** How GitHub makes the anchor of a heading. */
function anchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9_ -]/g, "")
    .replaceAll(" ", "-");
}
