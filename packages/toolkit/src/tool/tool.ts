import type { z } from "zod";

/** MCP hints, all four stated: a forgotten hint reads as "destructive" to some clients. */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** What the call record carries besides the tool's name: dotted paths into the arguments and the result. */
export interface LoggedFacts {
  readonly args?: readonly string[];
  readonly result?: readonly string[];
}

/** What a model is shown beside the text. MCP sends it as a content block of its own. */
export interface Media {
  readonly type: "image";
  readonly mimeType: string;
  /** Base64. */
  readonly data: string;
}

/** A result taken apart, so that what is no text goes out once and not again as base64 in text. */
export interface Parted<Result> {
  readonly media: readonly Media[];
  /** The result without the bytes of the media. */
  readonly rest: Result;
}

/** All there is to know about a tool. Every entry, the docs and the listing are made from this and nothing else. */
export interface Tool<Name extends string, In extends z.ZodObject, Out extends z.ZodObject, Context> {
  /** The seeds' name; entries accept it with `_` for `.` as well. */
  readonly name: Name;
  /** One line: every session pays for it. */
  readonly description: string;
  readonly toolset: string;
  /** The settings that must all be true, as full keys; an empty list is always on. */
  readonly features: readonly string[];
  readonly annotations: ToolAnnotations;
  readonly input: In;
  readonly output: Out;
  /** Arguments that are accepted everywhere but left out of the listing. */
  readonly unlisted?: readonly string[];
  /** A tool that does less: while the setting is true, this one is listed in its place. */
  readonly standsFor?: { readonly tool: string; readonly setting: string };
  readonly logs?: LoggedFacts;
  /** The result is `{data, meta?}`, and `POST /tool` answers just that. Other results become the `data` there. */
  readonly enveloped?: true;
  handler(args: z.output<In>, context: Context): Promise<z.input<Out>>;
  /** Writes the text for a model; compact JSON by default. `given` names arguments that differ from their defaults. */
  render?(result: z.output<Out>, args: z.output<In>, given: ReadonlySet<string>): string;
  /** For a result that can hold images: takes them out. Null where it holds none. */
  part?(result: z.output<Out>): Parted<z.output<Out>> | null;
}

// Bivariant on purpose: a list of tools with different schemas has no common handler type.
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyTool<Context = any> = Omit<
  Tool<string, z.ZodObject, z.ZodObject, Context>,
  "handler" | "render" | "part"
> & {
  handler(args: never, context: Context): Promise<object>;
  render?(result: never, args: never, given: ReadonlySet<string>): string;
  part?(result: never): Parted<object> | null;
};

/** Fixes the context type once, so that each tool infers the rest from its own schemas. */
export function toolFactory<Context>() {
  return <const Name extends string, In extends z.ZodObject, Out extends z.ZodObject>(
    tool: Tool<Name, In, Out, Context>,
  ): Tool<Name, In, Out, Context> => tool;
}

/** The name on the MCP wire: a dot makes some clients withhold the whole server. */
export function wireName(name: string): string {
  return name.replaceAll(".", "_");
}
