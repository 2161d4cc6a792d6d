import { statSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { Mounts } from "../../src/kernel/mounts.js";
import { freshDir } from "../tree.js";

const TABLE = `
22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
23 22 0:5 / /dev rw - tmpfs tmpfs rw
24 22 0:21 / /proc rw - proc proc rw
30 22 0:40 / /mnt/nfs rw,relatime shared:2 master:3 - nfs4 server:/export rw
31 22 0:41 / /mnt/with\\040space rw - fuse.sshfs me@host: rw
32 30 254:0 /srv /mnt/nfs/local rw - ext4 /dev/vda rw
33 22 0:42 / /auto rw - autofs systemd-1 rw
34 33 254:1 / /auto rw - ext4 /dev/vdb rw
35 22 254:0 /home/me/state /bound rw - ext4 /dev/vda rw
36 22 0:21 / /jail/proc rw - proc proc rw
37 22 259:70000 / /big rw - 9p host rw
38 22 0:43 / /cifs rw - cifs //server/share rw
39 22 0:44 / /f rw - fuse x rw
40 22 0:45 / /fuseless rw - fusectl x rw
`;

function table(text = TABLE): Mounts {
  const file = `${freshDir()}/mountinfo`;
  writeFileSync(file, text);
  return new Mounts(file);
}

test("a path is on a network mount if one lies on its way, also below a local one", () => {
  const mounts = table();
  const of = (path: string) => mounts.network(path);
  expect({
    root: of("/etc/passwd"),
    nfs: of("/mnt/nfs/a/b"),
    itself: of("/mnt/nfs"),
    namesake: of("/mnt/nfs2/a"),
    space: of("/mnt/with space/x"),
    below: of("/mnt/nfs/local/x"),
    mounted: of("/auto/x"),
    p9: of("/big/x"),
    cifs: of("/cifs/x"),
    fuse: of("/f/x"),
    control: of("/fuseless/x"),
  }).toEqual({
    root: null,
    nfs: "/mnt/nfs",
    itself: "/mnt/nfs",
    namesake: null,
    space: "/mnt/with space",
    below: "/mnt/nfs",
    mounted: null,
    p9: "/big",
    cifs: "/cifs",
    fuse: "/f",
    control: null,
  });
});

test("where / itself is on the network, only what lies right on it is", () => {
  const mounts = table("1 0 0:9 / / rw - 9p host rw\n2 1 254:0 / /data rw - ext4 /dev/vda rw\n");
  expect([mounts.network("/etc/x"), mounts.network("/data/x")]).toEqual(["/", null]);
});

test("the kernel's own file systems are known by their device number", () => {
  const mounts = table();
  expect([
    mounts.kernelType(21n),
    mounts.kernelType(5n),
    mounts.kernelType(40n),
    mounts.kernelType(254n << 8n),
  ]).toEqual(["proc", "tmpfs", undefined, undefined]);
});

test("device numbers are put together as the kernel does it", () => {
  const mounts = new Mounts();
  expect(mounts.kernelType(statSync("/proc", { bigint: true }).dev)).toBe("proc");
  const big = table("37 22 4097:70000 / /big rw - proc host rw\n");
  expect(
    big.kernelType(((4097n & 0xfffff000n) << 32n) | (1n << 8n) | ((70000n & 0xffffff00n) << 12n) | (70000n & 0xffn)),
  ).toBe("proc");
});

test("bind mounts show a path, or a part of it, elsewhere", () => {
  const mounts = table();
  expect([
    mounts.aliases("/home/me/state"),
    mounts.aliases("/home/me/state/db"),
    mounts.aliases("/home/me"),
    mounts.aliases("/srv/x"),
    mounts.aliases("/home/other"),
  ]).toEqual([["/bound"], ["/bound/db"], ["/bound"], ["/mnt/nfs/local/x"], []]);
});

test("a table that cannot be read makes every path local", () => {
  const mounts = new Mounts("/nonexistent");
  expect([mounts.network("/mnt/nfs"), mounts.kernelType(1n), mounts.aliases("/a")]).toEqual([null, undefined, []]);
});
