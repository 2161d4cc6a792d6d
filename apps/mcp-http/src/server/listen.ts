import type { AddressInfo } from "node:net";
import type { Server } from "node:http";
import { StartError } from "@llmc/cli";

export interface Wanted {
  readonly host: string;
  readonly port: number;
  /** Whether somebody chose the port: then another one will not do. */
  readonly asked: boolean;
}

const NEXT_PORTS = 20;

/** Binds the port, or the next free one where nobody chose it. */
export async function listen(server: Server, { host, port, asked }: Wanted): Promise<AddressInfo> {
  const last = asked || port === 0 ? port : Math.min(65_535, port + NEXT_PORTS);
  for (let candidate = port; ; candidate += 1) {
    try {
      return await bind(server, host.replace(/^\[(.*)\]$/, "$1"), candidate);
    } catch (thrown) {
      const { code } = thrown as NodeJS.ErrnoException;
      if (code !== "EADDRINUSE" || candidate >= last) throw new ListenError(host, candidate, thrown as Error);
    }
  }
}

function bind(server: Server, host: string, port: number): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    const onError = (error: Error) => reject(error);
    server.once("error", onError);
    server.listen({ host, port, exclusive: true }, () => {
      server.off("error", onError);
      resolve(server.address() as AddressInfo);
    });
  });
}

export class ListenError extends StartError {
  constructor(host: string, port: number, cause: NodeJS.ErrnoException) {
    const reasons: Readonly<Record<string, string>> = {
      EADDRINUSE: `port ${port} on ${host} is in use; --port 0 takes any free one`,
      EACCES: `port ${port} on ${host} may not be used by this user; choose one above 1023`,
      EADDRNOTAVAIL: `${host} is no address of this machine`,
      ENOTFOUND: `the host name ${host} is not known`,
    };
    super(reasons[cause.code ?? ""] ?? `cannot listen on ${host} port ${port}: ${cause.message}`, cause);
  }
}
