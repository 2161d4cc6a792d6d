import { InvalidArgumentError } from "@llmc/errors";
import { z } from "zod";
import { defineTool, type LinuxOpsContext } from "../../context/context.js";
import { path } from "../../context/fields.js";
import { DEFAULT_BASE64_BYTES, DEFAULT_BUDGET, LARGEST_BUDGET, type Budget } from "../../answer/budget.js";
import { readBase64 } from "./reading/base64.js";
import { readFile } from "./reading/file.js";
import { splitLineSuffix } from "./reading/line-suffix.js";
import { partImages } from "./reading/parted.js";
import type { Reading } from "./reading/reading.js";
import { renderReading } from "./reading/render.js";
import { readSeveral } from "./reading/several.js";

const meta = z.strictObject({
  path: z.string(),
  total_lines: z
    .int()
    .describe("Exact; a last line without newline counts. 0 for images, and for bytes of a huge file."),
  truncated: z.boolean(),
  first_line: z.int().optional().describe("Number of the first line returned, from 1."),
  returned_lines: z.int().optional(),
  next_offset_lines: z.int().optional().describe("Where to read on."),
  cut_lines: z
    .array(z.strictObject({ line: z.int(), chars: z.int() }))
    .optional()
    .describe("Lines shown in part, and how many characters they have."),
  encoding: z.string().optional().describe("When it is not UTF-8, or base64 was asked for."),
  replaced_chars: z.int().optional().describe("Bytes that are not valid UTF-8, shown as U+FFFD."),
  past_end: z.int().optional().describe("The offset_lines that was asked for, where the file ends before it."),
  pages: z.string().optional().describe("Of a PDF: whose text this is, such as 1-12."),
  total_bytes: z.int().optional(),
  next_offset_bytes: z.int().nullable().optional(),
  changed_while_read: z.literal(true).optional(),
});

const image = z.strictObject({
  mime_type: z.string(),
  data: z.string().optional().describe("Base64; over MCP it comes as image content instead."),
  width: z.int(),
  height: z.int(),
});

const DEFAULT_LINES = 200;

const input = z.strictObject({
  path: path.optional(),
  paths: z.array(path).min(1).max(50).optional().describe("Instead of path."),
  offset_lines: z.int().min(0).default(0),
  max_lines: z.int().min(1).max(2000).default(DEFAULT_LINES),
  tail_lines: z.int().min(1).max(2000).optional(),
  pages: z.string().max(20).optional(),
  encoding: z.enum(["text", "base64"]).default("text").describe("base64 returns bytes of any file."),
  offset_bytes: z.int().min(0).default(0).describe("With base64."),
  max_bytes: z.int().min(1).max(1_048_576).default(DEFAULT_BASE64_BYTES).describe("With base64."),
});

type Args = z.output<typeof input>;

export const fsRead = defineTool({
  name: "linux.fs_read",
  description: "Read lines of a text file or PDF, or see an image; path#L10-L20 works too.",
  toolset: "fs",
  features: ["mcp.linux_ops.features.fs_enabled"],
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input,
  unlisted: ["encoding", "offset_bytes", "max_bytes"],
  output: z.strictObject({
    content: z.string(),
    handle: z.string().nullable().describe("The whole file, for linux.handle_read; null when nothing was cut."),
    meta,
    image: image.optional().describe("Where the file is an image; content says what it is."),
    files: z
      .array(
        z.strictObject({
          path: z.string(),
          content: z.string().optional(),
          handle: z.string().nullable(),
          meta: meta.optional(),
          image: image.optional(),
          error: z.strictObject({ code: z.string(), message: z.string(), hint: z.string().optional() }).optional(),
        }),
      )
      .optional()
      .describe("With paths: one entry a file, an error beside the others' content."),
  }),
  logs: { args: ["path", "paths", "offset_lines", "max_lines"], result: ["meta.path", "meta.total_lines"] },

  async handler(args, context) {
    if ((args.path === undefined) === (args.paths === undefined)) {
      throw new InvalidArgumentError("linux.fs_read: pass path, or paths for several.");
    }
    checkCombination(args, context);
    const budget = budgetOf(args);
    if (args.path !== undefined) return readOne(args, args.path, context, budget);
    const wanted = { encoding: args.encoding, budget, readOne: readEach(args, context) };
    return readSeveral(args.paths ?? [], wanted, context);
  },

  render: (result, args) =>
    result.files === undefined ? renderReading(result, { encoding: args.encoding, asked: args.path }) : result.content,
  part: partImages,
});

function checkCombination(args: Args, { given }: LinuxOpsContext): void {
  if (args.tail_lines !== undefined && args.offset_lines > 0) {
    throw new InvalidArgumentError(
      "linux.fs_read: tail_lines and offset_lines exclude each other",
      "Leave out offset_lines.",
    );
  }
  const lines = ["offset_lines", "max_lines", "tail_lines", "pages"].filter((name) => given.has(name));
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

/** Only a larger limit than the default lifts the bound, because some clients fill in defaults. */
function budgetOf({ max_lines, tail_lines = 0, max_bytes }: Args): Budget {
  const isLarge = max_bytes > DEFAULT_BASE64_BYTES || Math.max(max_lines, tail_lines) > DEFAULT_LINES;
  return isLarge ? LARGEST_BUDGET : DEFAULT_BUDGET;
}

function readEach(args: Args, context: LinuxOpsContext): (path: string, budget: Budget) => Promise<Reading> {
  return (given, budget) => readOne(args, given, context, budget);
}

async function readOne(args: Args, given: string, context: LinuxOpsContext, budget: Budget): Promise<Reading> {
  const { path: file, lines } = await splitLineSuffix(given, context);
  if (lines !== undefined) checkSuffix(args, given);
  if (args.encoding === "base64") {
    return readBase64(
      file,
      { offset: args.offset_bytes, length: Math.ceil(Math.min(args.max_bytes, budget.tokens, budget.bytes)) },
      context,
    );
  }
  return readFile(
    file,
    {
      offsetLines: lines?.offset ?? args.offset_lines,
      maxLines: Math.min(args.tail_lines ?? args.max_lines, lines?.count ?? Number.POSITIVE_INFINITY),
      tailLines: args.tail_lines,
      pages: args.pages,
      budget: (lines?.count ?? 0) > DEFAULT_LINES ? { ...budget, tokens: LARGEST_BUDGET.tokens } : budget,
    },
    context,
  );
}

/** Two answers to the question which lines are meant: neither may win in silence. */
function checkSuffix(args: Args, given: string): void {
  const other = args.encoding === "base64" ? "encoding" : args.tail_lines !== undefined ? "tail_lines" : "offset_lines";
  if (other === "offset_lines" && args.offset_lines === 0) return;
  throw new InvalidArgumentError(
    `linux.fs_read: ${other} does not go with the lines named in ${given}`,
    "Give one of them.",
  );
}
