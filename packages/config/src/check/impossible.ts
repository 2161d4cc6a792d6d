import { isLoopback } from "./loopback.js";
import type { McpConfig } from "../schema/mcp.js";
import { isUsableToken, TOKEN_RULE } from "./token-rule.js";

const TAKEN_PATHS = ["/mcp", "/tool", "/health", "/invoke_agent", "/rag/search", "/rag/bootload", "/openapi.json"];

export interface Fault {
  /** What is involved; the first that somebody wrote is blamed. */
  readonly keys: readonly string[];
  readonly problem: string;
}

/** Settings that are fine one by one and cannot be served together. */
export function impossible(mcp: McpConfig): readonly Fault[] {
  return rules(mcp).filter(({ broken }) => broken);
}

interface Rule extends Fault {
  readonly broken: boolean;
}

function rules(mcp: McpConfig): readonly Rule[] {
  return [...transportRules(mcp), ...commandRules(mcp), ...ragRules(mcp)];
}

function transportRules({ server, auth, observability }: McpConfig): readonly Rule[] {
  return [
    {
      broken: server.tls_enabled && (server.tls_cert === "" || server.tls_key === ""),
      keys: ["mcp.server.tls_enabled"],
      problem: "needs mcp.server.tls_cert and mcp.server.tls_key",
    },
    {
      broken: auth.mode === "none" && !auth.allow_unauthenticated,
      keys: ["mcp.auth.mode"],
      problem: '"none" needs mcp.auth.allow_unauthenticated = true as well',
    },
    {
      broken: auth.mode === "none" && !isLoopback(server.host),
      keys: ["mcp.server.host", "mcp.auth.mode"],
      problem: `${server.host} is not a loopback address, so mcp.auth.mode must be "token"`,
    },
    {
      broken: auth.token !== "" && !isUsableToken(auth.token),
      keys: ["mcp.auth.token"],
      problem: TOKEN_RULE,
    },
    {
      broken: observability.metrics_path.endsWith("/") || TAKEN_PATHS.includes(observability.metrics_path),
      keys: ["mcp.observability.metrics_path"],
      problem: `${observability.metrics_path} is taken; choose another path, such as /metrics`,
    },
  ];
}

function commandRules({ auth, rag, linux_ops: { commands } }: McpConfig): readonly Rule[] {
  const tokens = [auth.token_env, rag.llmc_http.token_env, "LLMC_MCP__AUTH__TOKEN"];
  const leaked = commands.env_pass.find((name) => tokens.includes(name));
  return [
    {
      broken: leaked !== undefined,
      keys: ["mcp.linux_ops.commands.env_pass"],
      problem: `${leaked} holds a token, which no command may see`,
    },
  ];
}

function ragRules({ rag: { engine, embeddings, llmc_http: service } }: McpConfig): readonly Rule[] {
  return [
    {
      broken: engine === "llmc-http" && service.base_url === "",
      keys: ["mcp.rag.engine"],
      problem: '"llmc-http" needs mcp.rag.llmc_http.base_url',
    },
    {
      broken: embeddings.provider !== "none" && (embeddings.base_url === "" || embeddings.model === ""),
      keys: ["mcp.rag.embeddings.provider"],
      problem: `"${embeddings.provider}" needs mcp.rag.embeddings.base_url and mcp.rag.embeddings.model`,
    },
  ];
}
