import { OpsError } from "@llmc/errors";

// Requests that never reach a tool. What they share with the HTTP app is the code table, not the sentences.

export class BrokenFrameRefusal extends OpsError {
  constructor(problem: string) {
    super("BAD_ARGS", `The line is not a valid JSON-RPC message: ${problem}`, {
      hint: "Send one UTF-8 JSON message a line.",
    });
  }
}

export class LineTooLongRefusal extends OpsError {
  constructor(limit: number) {
    super("TOO_LARGE", `The line is longer than ${limit} bytes`, {
      hint: "Send less at once, or raise mcp.limits.max_stdio_bytes.",
    });
  }
}

export class UnknownMethodRefusal extends OpsError {
  constructor(method: string, nearest: string | undefined) {
    super("BAD_ARGS", `There is no method ${JSON.stringify(method.slice(0, 100))}`, {
      hint: nearest === undefined ? undefined : `Did you mean ${nearest}?`,
    });
  }
}

export class BrokenParamsRefusal extends OpsError {
  constructor(method: string, needed: string) {
    super("BAD_ARGS", `${method} needs ${needed}`);
  }
}

export class UnknownResourceRefusal extends OpsError {
  constructor(uri: string, template: string) {
    super("NOT_FOUND", `There is no resource ${JSON.stringify(uri.slice(0, 200))}`, {
      hint: `Resources here are ${template}.`,
    });
  }
}
