import { CODES, OpsError, type ErrorCode, type OpsErrorOptions } from "@llmc/errors";

interface RefusalOptions extends OpsErrorOptions {
  /** Where the protocol asks for another status than the code's own. */
  readonly httpStatus?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request that never reaches a tool. */
export class Refusal extends OpsError {
  readonly httpStatus: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, message: string, { httpStatus, headers = {}, ...options }: RefusalOptions = {}) {
    super(code, message, options);
    this.httpStatus = httpStatus ?? CODES[code].status;
    this.headers = headers;
  }
}

export class UnauthenticatedRefusal extends Refusal {
  readonly isWrong: boolean;

  constructor(tokenHeader: string, isWrong: boolean) {
    super("AUTH_FAILED", isWrong ? "The token is wrong" : "The token is missing", {
      hint: `Send "Authorization: Bearer TOKEN" or "${tokenHeader}: TOKEN"; the server's --show-token prints it.`,
      // Bare: any parameter here sends some clients looking for an authorization server.
      headers: { "WWW-Authenticate": "Bearer" },
    });
    this.isWrong = isWrong;
  }
}

export class ForeignHostRefusal extends Refusal {
  constructor(host: string) {
    super("FORBIDDEN", `The host ${JSON.stringify(host.slice(0, 100))} is not one of this server`, {
      hint: "Use the address that the server printed, or add the name to mcp.server.allowed_hosts.",
    });
  }
}

export class ForeignOriginRefusal extends Refusal {
  constructor(origin: string) {
    super("FORBIDDEN", `Pages of ${JSON.stringify(origin.slice(0, 100))} may not call this server`, {
      hint: "The operator can add the origin to mcp.server.allowed_origins.",
    });
  }
}

export class HostHeaderRefusal extends Refusal {
  constructor(count: number) {
    const what = count === 0 ? "no Host header" : count === 1 ? "a broken Host header" : `${count} Host headers`;
    super("BAD_ARGS", `The request has ${what}`, { httpStatus: 400, hint: "Send exactly one." });
  }
}

export class NoRouteRefusal extends Refusal {
  constructor(path: string) {
    super("NOT_FOUND", `There is no route ${JSON.stringify(path.slice(0, 200))}`, {
      hint: "Routes: GET /health, /openapi.json and /metrics, POST /tool and /invoke_agent, and /mcp for MCP clients.",
    });
  }
}

export class MethodRefusal extends Refusal {
  constructor(method: string, path: string, allowed: readonly string[]) {
    super("BAD_ARGS", `${path} does not take ${method.slice(0, 20)}`, {
      httpStatus: 405,
      hint: `Use ${allowed.join(", ")}.`,
      headers: { Allow: allowed.join(", ") },
    });
  }
}

export class ContentTypeRefusal extends Refusal {
  constructor(given: string | undefined) {
    super("BAD_ARGS", `The body is ${given === undefined ? "of no type" : JSON.stringify(given.slice(0, 100))}`, {
      httpStatus: 415,
      hint: "Send Content-Type: application/json.",
    });
  }
}

export class ContentEncodingRefusal extends Refusal {
  constructor(given: string) {
    super("BAD_ARGS", `The body is encoded as ${JSON.stringify(given.slice(0, 100))}`, {
      httpStatus: 415,
      hint: "Send it without Content-Encoding.",
    });
  }
}

export class BodyTooLargeRefusal extends Refusal {
  constructor(limit: number) {
    super("TOO_LARGE", `The body is larger than ${limit} bytes`, {
      hint: "Send less at once, or raise mcp.limits.max_request_bytes.",
      // The rest of it is still on its way.
      headers: { Connection: "close" },
    });
  }
}

export class BrokenJsonRefusal extends Refusal {
  constructor(reason: string) {
    super("BAD_ARGS", `The body is not JSON: ${reason}`, { httpStatus: 400 });
  }
}

export class FieldRefusal extends Refusal {
  constructor(problem: string) {
    super("BAD_ARGS", problem, {
      hint: 'The body is {"session_id": TEXT, "name": TOOL, "args": OBJECT}; agent_id and model are optional.',
    });
  }
}

export class AgentRequestRefusal extends Refusal {
  constructor(problem: string) {
    super("BAD_ARGS", problem, {
      hint: 'The body is {"session_id": TEXT, "role": NAME, "user_msg": TEXT}; inject_context is optional.',
    });
  }
}

export class MalformedRefusal extends Refusal {
  constructor(reason: string) {
    super("BAD_ARGS", `The request cannot be read: ${reason}`, { httpStatus: 400 });
  }
}

export class HeadersTooLargeRefusal extends Refusal {
  constructor(limit: number) {
    super("TOO_LARGE", `The headers are larger than ${limit} bytes`, {
      httpStatus: 431,
      hint: "Send fewer or shorter headers, or raise mcp.limits.max_header_bytes.",
    });
  }
}

export class SlowRequestRefusal extends Refusal {
  constructor() {
    super("TIMEOUT", "The request did not arrive in time", { httpStatus: 408 });
  }
}
