import { z } from "zod";
import { choice, flag, GIB, KIB, list, listMatching, matching, MIB, amount, path, text, whole } from "./fields.js";

const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/;
export const ENV_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;
const ENV_NAME_TEXT = "the name of an environment variable";

export const server = z
  .strictObject({
    host: matching("127.0.0.1", /^[^\s/\0]{1,253}$/, "a host name or address", "Address that the HTTP app binds."),
    port: whole(8080, { min: 0, max: 65_535 }, "Port that the HTTP app binds; 0 takes any free one."),
    tls_enabled: flag(false, "Serve HTTPS; needs tls_cert and tls_key."),
    tls_cert: path("Certificate chain (PEM file)."),
    tls_key: path("Private key of the certificate (PEM file)."),
    allowed_hosts: listMatching(
      [],
      /^[^\s/\0]{1,253}$/,
      "a host name or address",
      "Host names a request may carry besides loopback names and the bound address.",
    ),
    allowed_origins: list([], "Origins of web pages that may call, besides our own."),
  })
  .prefault({})
  .meta({ description: "The HTTP app's socket." });

export const auth = z
  .strictObject({
    mode: choice(
      ["token", "none"],
      "token",
      'Who may call over HTTP; "none" needs allow_unauthenticated and loopback.',
    ),
    header: matching(
      "X-LLMC-Token",
      HEADER_NAME,
      "the name of an HTTP header",
      "Header with the token, beside Bearer.",
    ),
    token_env: matching("LLMC_MCP_TOKEN", ENV_NAME, ENV_NAME_TEXT, "Environment variable that holds the token."),
    token: text("", "The token itself, where no environment variable has it; empty: kept in the data dir.", {
      secret: true,
    }),
    allow_unauthenticated: flag(false, 'Confirms that mode = "none" is meant.'),
  })
  .prefault({})
  .meta({ description: "Who may call over HTTP. Over stdio the caller is whoever started us." });

export const session = z
  .strictObject({
    default_agent_id: text("claude-desktop-mcp", "Agent id where neither the client nor the body names one."),
    default_model: text("unknown", "Model where neither the client nor the body names one."),
    scope: choice(["session", "token"], "session", "Who owns handles and processes: one session, or all of a token."),
    max_sessions: whole(64, { min: 1, max: 10_000 }, "HTTP sessions kept at once; the longest idle one makes room."),
    idle_timeout_sec: whole(1800, { min: 1, max: 604_800 }, "An HTTP session unused for so long is closed."),
  })
  .prefault({})
  .meta({ description: "How callers are told apart." });

export const limits = z
  .strictObject({
    rate_limit_rps: amount(10, { min: 0.01, max: 1_000_000 }, "Sustained HTTP requests a second for each token."),
    rate_limit_burst: whole(20, { min: 1, max: 1_000_000 }, "HTTP requests a token may make at once."),
    concurrency_per_token: whole(8, { min: 1, max: 10_000 }, "Calls a token may have running at the same time."),
    max_request_bytes: whole(256 * KIB, { min: KIB, max: GIB }, "Largest HTTP body."),
    max_header_bytes: whole(16 * KIB, { min: KIB, max: MIB }, "Largest HTTP header section."),
    max_stdio_bytes: whole(16 * MIB, { min: KIB, max: GIB }, "Longest line that is read over stdio."),
  })
  .prefault({})
  .meta({ description: "How much one caller may ask for." });
