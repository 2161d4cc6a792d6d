import os from "node:os";
import { numberIn, type KernelTree } from "../ask/kernel-tree.js";

export interface Interface {
  readonly name: string;
  readonly status: string | null;
  readonly mac: string | null;
  /** With the length of the network's part. */
  readonly addresses: readonly string[];
  readonly mbitPerSecond: number | null;
}

/** Addresses by interface. The kernel has no file for them; another one stands in for it in tests. */
export type ReadAddresses = () => ReadonlyMap<string, readonly string[]>;

export const ownAddresses: ReadAddresses = () =>
  new Map(
    Object.entries(os.networkInterfaces()).map(([name, found]) => [
      name,
      (found ?? []).map(({ cidr, address }) => cidr ?? address),
    ]),
  );

const UP = 1;
const NO_MAC = "00:00:00:00:00:00";

export function interfacesOf(names: readonly string[], sys: KernelTree, addresses: ReadAddresses): Interface[] {
  const known = addresses();
  return names.map((name) => {
    const of = (file: string): string | undefined => sys.text(`class/net/${name}/${file}`);
    const mac = of("address");
    const speed = numberIn(of("speed"));
    return {
      name,
      status: statusOf(of("operstate"), of("flags")),
      mac: mac === undefined || mac === NO_MAC ? null : mac,
      addresses: known.get(name) ?? [],
      mbitPerSecond: speed !== null && speed > 0 ? speed : null,
    };
  });
}

/** Drivers of interfaces without a cable do not know their state: then whether it was switched on. */
function statusOf(state: string | undefined, flags: string | undefined): string | null {
  if (state !== "unknown") return state ?? null;
  return flags === undefined ? "unknown" : (Number(flags) & UP) === UP ? "up" : "down";
}
