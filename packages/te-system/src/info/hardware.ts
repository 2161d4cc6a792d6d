import { numberIn, type KernelTree } from "../ask/kernel-tree.js";

export interface BlockDevice {
  readonly name: string;
  readonly model: string | null;
  readonly sizeBytes: number;
  /** Made by the kernel of memory or of files, or by a hypervisor: what it says of itself is made up as well. */
  readonly isVirtual: boolean;
  /** Null where it does not tell. */
  readonly isRotational: boolean | null;
  readonly isRemovable: boolean;
  readonly isReadOnly: boolean;
}

export interface Controller {
  /** Where it sits on its bus. */
  readonly address: string;
  readonly kind: string;
  /** vendor:device, as pci.ids has them. */
  readonly id: string;
  readonly driver: string | null;
}

const SECTOR = 512;
const MAX_LISTED = 256;

/** What can hold data: without loops that hold nothing, and ram disks. */
export function blockDevices(sys: KernelTree): BlockDevice[] {
  return sys
    .names("block")
    .slice(0, MAX_LISTED)
    .map((name) => blockDevice(sys, name))
    .filter(({ name, sizeBytes }) => sizeBytes > 0 && !name.startsWith("ram"));
}

function blockDevice(sys: KernelTree, name: string): BlockDevice {
  const of = (file: string): string | undefined => sys.text(`block/${name}/${file}`);
  const rotational = of("queue/rotational");
  const model = [of("device/vendor"), of("device/model")].filter(
    (part) => part !== undefined && !part.startsWith("0x"),
  );
  return {
    name,
    model: model.length === 0 ? null : model.join(" "),
    sizeBytes: (numberIn(of("size")) ?? 0) * SECTOR,
    isVirtual: /\/(virtual|virtio\d+|vbd-\d+)\//.test(sys.link(`block/${name}`) ?? ""),
    isRotational: rotational === undefined ? null : rotational === "1",
    isRemovable: of("removable") === "1",
    isReadOnly: of("ro") === "1",
  };
}

const CLASSES: Readonly<Record<string, string>> = {
  "0100": "SCSI",
  "0101": "IDE",
  "0104": "RAID",
  "0106": "SATA",
  "0107": "SAS",
  "0108": "NVMe",
  "01": "storage",
  "0200": "Ethernet",
  "0280": "wireless network",
  "02": "network",
  "0300": "VGA",
  "0302": "3D",
  "03": "display",
  "0c03": "USB",
  "12": "accelerator",
};

/** Storage, network, display, USB: what somebody asks about. Bridges and the like are left out. */
export function controllers(sys: KernelTree): Controller[] {
  const folder = "bus/pci/devices";
  return sys
    .names(folder)
    .slice(0, MAX_LISTED)
    .flatMap((address) => {
      const of = (file: string): string => sys.text(`${folder}/${address}/${file}`)?.replace(/^0x/, "") ?? "";
      const code = of("class");
      const kind = CLASSES[code.slice(0, 4)] ?? CLASSES[code.slice(0, 2)];
      if (kind === undefined) return [];
      const driver = sys.link(`${folder}/${address}/driver`)?.split("/").at(-1) ?? null;
      return [{ address, kind, id: `${of("vendor")}:${of("device")}`, driver }];
    });
}

/** Null where the firmware does not tell, or not us. */
export function productOf(sys: KernelTree): string | null {
  const parts = ["sys_vendor", "product_name"].flatMap((file) => sys.text(`class/dmi/id/${file}`) ?? []);
  return parts.length === 0 ? null : parts.join(" ");
}
