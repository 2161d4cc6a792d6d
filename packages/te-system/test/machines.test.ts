import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { Info } from "../src/index.js";
import { GB, HEALTHY, machine, meminfo, type Files } from "./machine.js";

interface Kind {
  readonly proc?: Files;
  readonly sys?: Files;
  readonly files?: Files;
  readonly links?: Files;
}

/** A machine of another kind than this one; all composed, after what such machines show. */
function infoOf({ proc = {}, sys = {}, files = {}, links = {} }: Kind): Info {
  const { root } = machine({ proc: {} });
  const put = (below: string, texts: Files): void => {
    for (const [name, text] of Object.entries(texts)) {
      mkdirSync(dirname(join(root, below, name)), { recursive: true });
      writeFileSync(join(root, below, name), text);
    }
  };
  const all = { ...HEALTHY.proc, ...proc };
  put("proc", all);
  put("sys", sys);
  put("files", files);
  for (const [name, target] of Object.entries(links)) {
    mkdirSync(dirname(join(root, "sys", name)), { recursive: true });
    symlinkSync(target, join(root, "sys", name));
  }
  return machine(
    { proc: all },
    {
      procRoot: join(root, "proc"),
      sysRoot: join(root, "sys"),
      root: join(root, "files"),
      addresses: () => new Map([["eth0", ["10.0.0.5/24"]]]),
    },
  ).system.info;
}

const cores = (count: number, block: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => `processor\t: ${index}\n${block(index)}\n`).join("\n");

test("a virtual machine of two sockets, with hyper-threads", () => {
  const info = infoOf({
    proc: {
      cpuinfo: cores(
        64,
        (index) =>
          `vendor_id\t: GenuineIntel\nmodel name\t: Intel(R)  Xeon(R) CPU @ 2.20GHz\nphysical id\t: ${index % 2}\ncore id\t: ${Math.floor(index / 4)}\nflags\t\t: fpu hypervisor sse\n`,
      ),
    },
    sys: { "class/dmi/id/sys_vendor": "QEMU\n", "class/dmi/id/product_name": "Standard PC (Q35 + ICH9, 2009)\n" },
    files: { "etc/os-release": 'NAME="Debian GNU/Linux"\nVERSION_ID="12"\n' },
  });

  expect(info.hardware()).toMatchObject({
    product: "QEMU Standard PC (Q35 + ICH9, 2009)",
    processor: { model: "Intel(R) Xeon(R) CPU @ 2.20GHz", cores: 32, threads: 64 },
    virtualization: { machine: "kvm", container: null },
  });
  expect(info.os()).toMatchObject({ name: "Debian GNU/Linux", version: "12", uptimeSeconds: 1_000_000 });
});

test("a board of another architecture: its cores are told by /sys, its name by the last line", () => {
  const info = infoOf({
    proc: {
      cpuinfo: `${cores(4, () => "CPU implementer\t: 0x41\n")}\nHardware\t: BCM2835\nModel\t\t: Raspberry Pi 4 Model B Rev 1.4\n`,
    },
    sys: Object.fromEntries(
      [0, 1, 2, 3].flatMap((cpu) => [
        [`devices/system/cpu/cpu${cpu}/topology/core_id`, `${cpu}\n`],
        [`devices/system/cpu/cpu${cpu}/topology/physical_package_id`, "0\n"],
      ]),
    ),
  });

  expect(info.hardware().processor).toEqual({
    model: "Raspberry Pi 4 Model B Rev 1.4",
    cores: 4,
    threads: 4,
    hasHypervisor: false,
  });
});

test("WSL, and containers of three kinds", () => {
  const osrelease = (text: string): Files => ({ "sys/kernel/osrelease": text });
  const virtualization = (kind: Kind) => infoOf(kind).os().virtualization;

  expect(virtualization({ proc: osrelease("5.15.153.1-microsoft-standard-WSL2\n") })).toEqual({
    machine: "wsl",
    container: null,
  });
  expect(virtualization({ files: { ".dockerenv": "" } })).toEqual({ machine: null, container: "docker" });
  expect(virtualization({ files: { "run/.containerenv": "engine=podman\n" } }).container).toBe("podman");
  expect(virtualization({ files: { "run/secrets/kubernetes.io/token": "x" } }).container).toBe("kubernetes");
  expect(virtualization({ proc: { "1/environ": "PATH=/bin\0container=lxc\0" } }).container).toBe("lxc");
});

test("disks and controllers: what holds data, what is virtual, what spins", () => {
  const disk = (name: string, values: Files): Files =>
    Object.fromEntries(Object.entries(values).map(([file, text]) => [`block-of/${name}/${file}`, text]));
  const info = infoOf({
    sys: {
      ...disk("sda", {
        size: "1953525168\n",
        "queue/rotational": "1\n",
        "device/model": "WDC WD10EZEX\n",
        removable: "0\n",
        ro: "0\n",
      }),
      ...disk("nvme0n1", {
        size: "1000215216\n",
        "queue/rotational": "0\n",
        "device/model": "Samsung SSD 980\n",
        ro: "0\n",
      }),
      ...disk("loop0", { size: "0\n" }),
      ...disk("zram0", { size: "8388608\n", "queue/rotational": "0\n" }),
      "bus/pci/devices/0000:00:1f.2/class": "0x010601\n",
      "bus/pci/devices/0000:00:1f.2/vendor": "0x8086\n",
      "bus/pci/devices/0000:00:1f.2/device": "0xa352\n",
      "bus/pci/devices/0000:00:00.0/class": "0x060000\n",
    },
    links: {
      "block/sda": "../block-of/sda",
      "block/nvme0n1": "../block-of/nvme0n1",
      "block/loop0": "../block-of/loop0",
      "block/zram0": "../block-of/../block-of/zram0",
    },
  });
  const { disks, controllers } = info.hardware();

  expect(disks.map(({ name, isRotational, model }) => [name, isRotational, model])).toEqual([
    ["nvme0n1", false, "Samsung SSD 980"],
    ["sda", true, "WDC WD10EZEX"],
    ["zram0", false, null],
  ]);
  expect(disks[1]?.sizeBytes).toBe(1_953_525_168 * 512);
  expect(controllers).toEqual([{ address: "0000:00:1f.2", kind: "SATA", id: "8086:a352", driver: null }]);
});

test("without /sys, swap or os-release there are nulls and no made-up figures", async () => {
  const info = infoOf({ proc: { meminfo: meminfo(2 * GB, 50), cpuinfo: "" } });

  expect(info.hardware()).toEqual({
    product: null,
    processor: { model: null, cores: null, threads: null, hasHypervisor: false },
    memoryBytes: 2 * GB,
    disks: [],
    controllers: [],
    virtualization: { machine: null, container: null },
  });
  expect(info.memory()).toMatchObject({ swapTotalBytes: 0, swapUsedBytes: 0, usedBytes: GB });
  expect(info.os()).toMatchObject({ name: null, version: null, kernel: null, hostname: null });
  expect((await info.network()).interfaces).toEqual([
    { name: "eth0", status: null, mac: null, addresses: ["10.0.0.5/24"], mbitPerSecond: null },
  ]);
});
