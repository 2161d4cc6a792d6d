import { networkInterfaces } from "node:os";

/** The address to show for a bound one: a wildcard is no address that a client can use. */
export function reachableHost(host: string): string {
  const bare = host.replace(/^\[(.*)\]$/, "$1");
  const shown = bare === "0.0.0.0" || bare === "::" ? (lanAddress() ?? "127.0.0.1") : bare;
  return shown.includes(":") ? `[${shown}]` : shown;
}

function lanAddress(): string | undefined {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all.find(({ family, internal }) => family === "IPv4" && !internal)?.address;
}
