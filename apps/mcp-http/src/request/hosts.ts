import { isLoopback } from "@llmc/config";
import { ForeignHostRefusal, ForeignOriginRefusal, HostHeaderRefusal } from "../answer/refusal.js";

export interface HostRules {
  readonly host: string;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
}

export interface Addressed {
  /** Names and values in turn, as they came: Node folds a second Host header away. */
  readonly rawHeaders: readonly string[];
  /** The address of ours that the client reached. */
  readonly localAddress: string | undefined;
}

/**
 * Refuses what was sent to a name that is not ours, or by a page that is not ours. A page whose own name is pointed at
 * this machine (DNS rebinding) still sends that name; ports are not compared, a proxy may change them.
 */
export function createHostCheck({ host, allowedHosts, allowedOrigins }: HostRules): (request: Addressed) => void {
  const names = new Set(
    [host, ...allowedHosts].filter((name) => !isWildcard(name)).map((name) => nameOf(name) ?? name),
  );
  const origins = new Set(allowedOrigins.map((origin) => origin.toLowerCase().replace(/\/$/, "")));

  const isOurs = (name: string, localAddress: string | undefined) =>
    isLoopback(name) || names.has(name) || (isWildcard(host) && name === plainAddress(localAddress));

  return ({ rawHeaders, localAddress }) => {
    const hosts = valuesOf(rawHeaders, "host");
    const name = hosts.length === 1 ? nameOf(hosts[0] ?? "") : undefined;
    if (name === undefined) throw new HostHeaderRefusal(hosts.length);
    if (!isOurs(name, localAddress)) throw new ForeignHostRefusal(hosts[0] ?? "");
    for (const origin of valuesOf(rawHeaders, "origin")) {
      const from = pageHost(origin);
      const ours = origins.has(origin.toLowerCase()) || (from !== undefined && isOurs(from, localAddress));
      if (!ours) throw new ForeignOriginRefusal(origin);
    }
  };
}

function valuesOf(rawHeaders: readonly string[], wanted: string): string[] {
  const values: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === wanted) values.push(rawHeaders[index + 1] ?? "");
  }
  return values;
}

/** The name of `name:port`, of `[v6]:port`, or of a bare v6 address as a configuration has it. */
function nameOf(authority: string): string | undefined {
  const bracketed = /^\[([0-9a-f:.]+)\](?::\d{1,5})?$/i.exec(authority)?.[1];
  if (bracketed !== undefined) return bracketed.toLowerCase();
  if (/^[0-9a-f]*:[0-9a-f:]*:[0-9a-f.:]*$/i.test(authority)) return authority.toLowerCase();
  const name = /^([a-z0-9._-]+)(?::\d{0,5})?$/i.exec(authority)?.[1];
  return name?.toLowerCase().replace(/\.$/, "");
}

function pageHost(origin: string): string | undefined {
  if (!/^https?:\/\//i.test(origin) || !URL.canParse(origin)) return undefined;
  const { host, username, password } = new URL(origin);
  // Refuses a user in the address, because browsers never send one.
  return username === "" && password === "" ? nameOf(host) : undefined;
}

function isWildcard(host: string): boolean {
  return host === "0.0.0.0" || host === "::" || host === "[::]";
}

/** A v4 client of a v6 socket is shown as ::ffff:1.2.3.4. */
function plainAddress(address: string | undefined): string | undefined {
  return address
    ?.toLowerCase()
    .replace(/^::ffff:(?=\d+\.)/, "")
    .replace(/%.*$/, "");
}
