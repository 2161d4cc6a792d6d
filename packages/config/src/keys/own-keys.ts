/** Keys whose whole effect lies in this package, so that no other source has to read them. */
export const OWN_KEYS: ReadonlySet<string> = new Set([
  "mcp.config_version",
  "mcp.auth.token",
  "mcp.auth.token_env",
  "mcp.auth.allow_unauthenticated",
  "mcp.tools.allowed_roots",
  "mcp.linux_ops.roots.allowed_roots",
  "mcp.linux_ops.roots.enforce_roots",
  "mcp.docker.data_volume",
]);
