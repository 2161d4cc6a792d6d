import { InvalidArgumentError, OpsError } from "@llmc/errors";
import { z } from "zod";
import { defineTool, type LinuxOpsContext } from "../../context.js";
import { ANSWER_BYTES, LARGEST_ANSWER_BYTES, path } from "../../fields.js";
import { readBase64 } from "../../read/base64.js";
import { splitLineSuffix } from "../../read/line-suffix.js";
import { readText, type Reading } from "../../read/text.js";
import { header, renderReading } from "../../read/render.js";

const meta = z.strictObject({
  path: z.string(),
  total_lines: z.int().describe("Exact; a last line without newline counts."),
  truncated: z.boolean(),
  first_line: z.int().optional().describe("Number of the first line returned, from 1."),
  returned_lines: z.int().optional(),
  next_offset_lines: z.int().optional().describe("Where to read on."),
  cut_lines: z
    .array(z.strictObject({ line: z.int(), chars: z.int() }))
    .optional()
    .describe("Lines shown in part, and how many characters they have."),
  encoding: z.string().optional().describe("When the file is not UTF-8, or base64 was asked for."),
  total_bytes: z.int().optional(),
  next_offset_bytes: z.int().nullable().optional(),
  changed_while_read: z.literal(true).optional(),
});

const input = z.strictObject({
  path: path.optional(),
  paths: z.array(path).min(1).max(50).optional().describe("Several files instead of path."),
  offset_lines: z.int().min(0).default(0),
  max_lines: z.int().min(1).max(2000).default(200),
  tail_lines: z.int().min(1).max(2000).optional().describe("The last lines instead of offset_lines."),
  encoding: z.enum(["text", "base64"]).default("text").describe("base64 returns bytes of any file."),
  offset_bytes: z.int().min(0).default(0).describe("With base64."),
  max_bytes: z.int().min(1).max(1_048_576).default(16_384).describe("With base64."),
});

type Args = z.output<typeof input>;

export const fsRead = defineTool({
  name: "linux.fs_read",
  description: "Read lines of a text file; path#L10-L20 works too.",
  toolset: "fs",
  features: ["mcp.linux_ops.features.fs_enabled"],
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input,
  unlisted: ["tail_lines", "encoding", "offset_bytes", "max_bytes"],
  output: z.strictObject({
    content: z.string(),
    handle: z.string().nullable().describe("The whole file for linux.handle_read; null when all of it is here."),
    meta,
    files: z
      .array(
        z.strictObject({
          path: z.string(),
          content: z.string().optional(),
          handle: z.string().nullable(),
          meta: meta.optional(),
          error: z.strictObject({ code: z.string(), message: z.string(), hint: z.string().optional() }).optional(),
        }),
      )
      .optional()
      .describe("With paths: one entry a file, an error beside the others' content."),
  }),
  logs: { args: ["path", "paths", "offset_lines", "max_lines"], result: ["meta.path", "meta.total_lines"] },

  async handler(args, context) {
    if ((args.path === undefined) === (args.paths === undefined)) {
      throw new InvalidArgumentError(
        "linux.fs_read: exactly one of path and paths is needed",
        "Pass path for one file.",
      );
    }
    checkCombination(args, context);
    return args.path === undefined ? readMany(args, args.paths ?? [], context) : readOne(args, args.path, context);
  },

  render: (result, args) => (result.files === undefined ? renderReading(result, args.encoding) : result.content),
});

function checkCombination(args: Args, { given }: LinuxOpsContext): void {
  if (args.tail_lines !== undefined && args.offset_lines > 0) {
    throw new InvalidArgumentError("linux.fs_read: tail_lines and offset_lines exclude each other");
  }
  const lines = ["offset_lines", "max_lines", "tail_lines"].filter((name) => given.has(name));
  const bytes = ["offset_bytes", "max_bytes"].filter((name) => given.has(name));
  if (args.encoding === "base64" && lines.length > 0) {
    throw new InvalidArgumentError(
      `linux.fs_read: ${lines[0]} does not go with encoding "base64"`,
      "Use offset_bytes and max_bytes.",
    );
  }
  if (args.encoding === "text" && bytes.length > 0) {
    throw new InvalidArgumentError(
      `linux.fs_read: ${bytes[0]} goes only with encoding "base64"`,
      "Use offset_lines and max_lines.",
    );
  }
}

async function readOne(args: Args, given: string, context: LinuxOpsContext, budget?: number): Promise<Reading> {
  const { path: file, lines } = await splitLineSuffix(given, context);
  if (args.encoding === "base64")
    return readBase64(file, { offset: args.offset_bytes, length: args.max_bytes }, context);
  const explicit = context.given.has("max_lines") || context.given.has("tail_lines") || lines !== undefined;
  return readText(
    file,
    {
      offsetLines: lines !== undefined && !context.given.has("offset_lines") ? lines.offset : args.offset_lines,
      maxLines:
        args.tail_lines ?? (lines !== undefined && !context.given.has("max_lines") ? lines.count : args.max_lines),
      tailLines: args.tail_lines,
      maxBytes: budget ?? (explicit ? LARGEST_ANSWER_BYTES : ANSWER_BYTES),
    },
    context,
  );
}

/** Files share the answer's budget: what a short one leaves over goes to those after it. */
async function readMany(args: Args, paths: readonly string[], context: LinuxOpsContext) {
  const files = [];
  const parts: string[] = [];
  let left = context.given.has("max_lines") ? LARGEST_ANSWER_BYTES : ANSWER_BYTES;
  for (const [index, given] of paths.entries()) {
    context.signal.throwIfAborted();
    const share = Math.max(1, Math.floor(left / (paths.length - index)));
    try {
      const reading = await readOne(args, given, context, share);
      left -= Math.min(left, Buffer.byteLength(reading.content));
      files.push({ path: reading.meta.path, content: reading.content, handle: reading.handle, meta: reading.meta });
      parts.push(renderReading(reading, args.encoding));
    } catch (thrown) {
      if (context.signal.aborted) throw thrown;
      const { code, message, hint } = known(thrown);
      files.push({ path: given, handle: null, error: { code, message, ...(hint === undefined ? {} : { hint }) } });
      parts.push(header(given, [`${code}: ${message}`]));
    }
  }
  const whole = files.flatMap((file) => (file.meta === undefined ? [] : [file.meta]));
  return {
    content: parts.join("\n"),
    handle: null,
    meta: {
      path: files.map((file) => file.path).join(", "),
      total_lines: whole.reduce((sum, one) => sum + one.total_lines, 0),
      truncated: whole.some((one) => one.truncated),
    },
    files,
  };
}

/** A fault of ours must not hide in one file's entry. */
function known(thrown: unknown): OpsError {
  const error = OpsError.from(thrown);
  if (error.code === "INTERNAL") throw error;
  return error;
}
