import os from "node:os";
import type { Machine, Procfs } from "@llmc/procfs";
import type { Disks } from "../disks/read-disks.js";
import type { Look } from "../look/look.js";
import { cpuBetween } from "../measure/cpu.js";
import { memoryOf, type MemoryUse } from "../measure/memory.js";
import { ratesBetween, type InterfaceRate } from "../measure/network.js";
import { distributionOf, type Distribution } from "./distribution.js";
import { blockDevices, controllers, productOf, type BlockDevice, type Controller } from "./hardware.js";
import { interfacesOf, type Interface, type ReadAddresses } from "./interfaces.js";
import { processorOf, type Processor } from "./processor.js";
import { virtualizationOf, type Trees, type Virtualization } from "./virtualization.js";

export interface CpuInfo extends Processor {
  readonly architecture: string;
  /** Null where the kernel does not tell. */
  readonly percent: number | null;
  readonly load: readonly [number, number, number] | null;
}

export interface NetworkInfo {
  readonly interfaces: readonly Interface[];
  /** Null where the kernel does not tell. */
  readonly rates: readonly InterfaceRate[] | null;
}

export interface HardwareInfo {
  readonly product: string | null;
  readonly processor: Processor;
  readonly memoryBytes: number | null;
  readonly disks: readonly BlockDevice[];
  readonly controllers: readonly Controller[];
  readonly virtualization: Virtualization;
}

export interface OsInfo extends Distribution {
  readonly kernel: string | null;
  readonly architecture: string;
  readonly hostname: string | null;
  readonly uptimeSeconds: number | null;
  readonly virtualization: Virtualization;
}

/** What the machine is, and what of it is in use: files of the kernel, and no program. */
export interface Info {
  memory(): MemoryUse | null;
  disks(): Promise<Disks | null>;
  cpu(signal?: AbortSignal): Promise<CpuInfo>;
  network(signal?: AbortSignal): Promise<NetworkInfo>;
  hardware(): HardwareInfo;
  os(): OsInfo;
}

export interface InfoSources {
  readonly procfs: Procfs;
  readonly look: Look;
  readonly trees: Trees;
  readonly addresses: ReadAddresses;
}

export function infoOf({ procfs: { machine }, look, trees, addresses }: InfoSources): Info {
  const { proc, sys, files } = trees;
  const processor = (): Processor => processorOf(proc, sys);
  const virtualization = (): Virtualization => virtualizationOf(trees, processor().hasHypervisor);
  return {
    memory: () => memoryOf(machine),
    disks: () => look.disks(),
    async cpu(signal) {
      const { before, now } = await look.interval(signal);
      const use = cpuBetween(before, now);
      return {
        ...processor(),
        architecture: os.machine(),
        percent: use === null ? null : use.percent,
        load: machine.loadAverage(),
      };
    },
    async network(signal) {
      const { before, now } = await look.interval(signal);
      return {
        interfaces: interfacesOf(namesOf(machine, trees), sys, addresses),
        rates: ratesBetween(before, now),
      };
    },
    hardware: () => ({
      product: productOf(sys),
      processor: processor(),
      memoryBytes: memoryOf(machine)?.totalBytes ?? null,
      disks: blockDevices(sys),
      controllers: controllers(sys),
      virtualization: virtualization(),
    }),
    os: () => ({
      ...distributionOf(files),
      kernel: proc.text("sys/kernel/osrelease") ?? null,
      architecture: os.machine(),
      hostname: proc.text("sys/kernel/hostname") ?? null,
      uptimeSeconds: machine.uptimeSeconds(),
      virtualization: virtualization(),
    }),
  };
}

/** In the kernel's order; one that /proc does not count may still be in /sys. */
function namesOf(machine: Machine, { sys }: Trees): string[] {
  const counted = machine.interfaces()?.map(({ name }) => name) ?? [];
  return [
    ...new Set([...counted, ...sys.names("class/net").filter((name) => sys.names(`class/net/${name}`).length > 0)]),
  ];
}
