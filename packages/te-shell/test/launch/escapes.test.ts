import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { OpsError } from "@llmc/errors";
import { describe, expect, test } from "vitest";
import { hasBubblewrap, hasNamespaces, place, type Place } from "./boxes.js";

const CANARY = "canary-5a17";

/** How commands get round a list of names. SECRET: a file outside of the roots; OUT: its folder. */
const BYPASSES: readonly (string | readonly string[])[] = [
  ["find", ".", "-exec", "cat", "SECRET", ";"],
  ["find", ".", "-execdir", "cat", "SECRET", "+"],
  ["find", "OUT", "-delete"],
  ["find", ".", "-fprintf", "OUT/new", "x"],
  ["find", ".", "-fls", "OUT/new"],
  ["git", "-c", "alias.x=!cat SECRET", "x"],
  ["git", "-c", "core.pager=cat SECRET", "-p", "version"],
  ["git", "grep", "-Ocat SECRET", "x"],
  ["git", "clone", "ext::cat SECRET", "x"],
  ["git", "--exec-path=OUT", "version"],
  ["git", "diff", "--no-index", "--output=OUT/new", "a.txt", "b.txt"],
  ["git", "submodule", "foreach", "cat SECRET"],
  ["tar", "-cf", "/dev/null", ".", "--checkpoint=1", "--checkpoint-action=exec=cat SECRET"],
  ["tar", "-cIcat SECRET", "-f", "x.tar", "."],
  ["tar", "-cf", "x.tar", "-F", "cat SECRET", "-L1", "."],
  ["sort", "--compress-program=cat SECRET", "-S1", "a.txt"],
  ["sed", "1e cat SECRET", "a.txt"],
  ["sed", "-n", "1w OUT/new", "a.txt"],
  ["sed", "s,.*,cat SECRET,e", "a.txt"],
  ["awk", 'BEGIN{system("cat SECRET")}'],
  ["awk", 'BEGIN{"cat SECRET" | getline x; print x}'],
  ["awk", '{print | "tee OUT/new"}', "a.txt"],
  ["rg", "--pre", "cat", "x", "SECRET"],
  ["fdfind", "-x", "cat", "SECRET"],
  ["split", "--filter=cat SECRET", "a.txt"],
  ["wget", "--use-askpass=OUT/x", "http://127.0.0.1:9/"],
  ["sqlite3", ":memory:", ".shell cat SECRET"],
  ["patch", "-e", "-i", "a.txt"],
  ["zip", "-T", "-TT", "cat SECRET", "x.zip", "a.txt"],
  ["dd", "if=a.txt", "of=/dev/mem"],
  ["env", "cat", "SECRET"],
  ["env", "-S", "cat SECRET"],
  ["xargs", "-a", "a.txt", "cat", "SECRET"],
  ["nice", "cat", "SECRET"],
  ["timeout", "5", "cat", "SECRET"],
  ["nohup", "cat", "SECRET"],
  ["setsid", "-w", "cat", "SECRET"],
  ["stdbuf", "-o0", "cat", "SECRET"],
  ["script", "-qc", "cat SECRET", "/dev/null"],
  ["bash", "-c", "cat SECRET"],
  ["/bin/sh", "-c", "cat SECRET"],
  ["busybox", "cat", "SECRET"],
  ["python3", "-c", "print(open('SECRET').read())"],
  ["perl", "-e", "print `cat SECRET`"],
  ["node", "-e", "console.log(require('fs').readFileSync('SECRET','utf8'))"],
  ["make", "-f", "Makefile"],
  ["vim", "-es", "-c", "!cat SECRET", "-c", "q"],
  ["tee", "OUT/new"],
  ["unshare", "-Ur", "cat", "SECRET"],
  ["nsenter", "-t", "1", "-m", "cat", "SECRET"],
  ["chroot", "/proc/1/root", "cat", "SECRET"],
  ["sudo", "-n", "cat", "SECRET"],
  ["./a.sh"],
  ["./link-to-cat", "SECRET"],
  "cat SECRET; true",
  "true && cat SECRET",
  "true | cat SECRET",
  "echo $(cat SECRET)",
  "echo `cat SECRET`",
  'echo "$(cat SECRET)"',
  "cat <(cat SECRET)",
  "echo x > OUT/new",
  "true\ncat SECRET",
  "X=1 cat SECRET",
  "{ cat SECRET; }",
];

/** Ways out of a box that need no list to be got round. */
const ESCAPES: readonly string[] = [
  "cat /proc/1/rootSECRET /proc/self/rootSECRET /proc/1/cwd/../outside/secret",
  "for pid in /proc/[0-9]*; do tr '\\0' '\\n' <$pid/environ; cat $pid/rootSECRET; done",
  "ln -s SECRET link; cat link; ln SECRET hard; cat hard",
  "mkdir -p m && mount --bind / m && cat mSECRET",
  "unshare -rm sh -c 'mkdir -p n; mount --bind / n; cat nSECRET; umount -l /tmp; cat SECRET'",
  "nsenter -t 1 -a cat SECRET; chroot /proc/1/root cat SECRET",
  "echo x >/proc/sys/kernel/core_pattern; echo x >/proc/sysrq-trigger; echo x >/etc/new; echo x >/usr/new",
  "mknod disk b 254 0 && head -c 100 disk; cat /dev/vda /dev/sda /dev/mem",
  "umount /; umount -l OUT; mount -o remount,rw /usr && touch /usr/new",
  "ls -la OUT; cp a.txt OUT/new; rm -rf OUT",
  "kill -9 -1",
];

const fill = (text: string, { outside }: Place): string =>
  text.replaceAll("SECRET", join(outside, "secret")).replaceAll("OUT", outside);

function planted(here: Place): Place {
  writeFileSync(join(here.outside, "secret"), `${CANARY}\n`);
  writeFileSync(join(here.root, "a.txt"), "one\ntwo\n");
  writeFileSync(join(here.root, "b.txt"), "two\n");
  writeFileSync(join(here.root, "Makefile"), `all:\n\tcat ${here.outside}/secret\n`);
  writeFileSync(join(here.root, "a.sh"), `#!/bin/sh\ncat ${here.outside}/secret\n`, { mode: 0o755 });
  spawnSync("ln", ["-s", "/bin/cat", join(here.root, "link-to-cat")]);
  return here;
}

async function outcome(here: Place, command: string | readonly string[]): Promise<string> {
  const asked = typeof command === "string" ? fill(command, here) : command.map((word) => fill(word, here));
  try {
    const { code, printed } = await here.run(asked);
    return `${code} ${printed}`;
  } catch (thrown) {
    if (!OpsError.is(thrown)) throw thrown;
    return thrown.code;
  }
}

function expectUntouched({ outside }: Place): void {
  expect(readdirSync(outside)).toEqual(["secret"]);
  expect(readFileSync(join(outside, "secret"), "utf8")).toBe(`${CANARY}\n`);
}

test("the canary is there to be read", async () => {
  expect(await outcome(planted(place({ sandbox: "off" })), ["cat", "SECRET"])).toBe(`0 ${CANARY}\n`);
});

describe("without a sandbox each is refused, unless there is no such program", () => {
  test.each(BYPASSES.map((command) => [command.toString().slice(0, 60), command] as const))(
    "%s",
    async (_, command) => {
      const here = planted(place({ sandbox: "off" }));
      // What does not exist here is 127, and never the canary.
      expect(await outcome(here, command)).toMatch(/^(COMMAND_NOT_ALLOWED|127 )/);
      expectUntouched(here);
    },
  );
});

/** A list that an operator might write: tools that mean no harm by themselves. */
const HARMLESS = "find git tar sort sed awk rg fdfind split wget sqlite3 patch zip dd ls echo true".split(" ");

describe("without a sandbox each is refused by an operator's own list too, whichever it is for", () => {
  test.each(["allowed", "commands"] as const)("%s", { timeout: 60_000 }, async (list) => {
    const here = planted(place({ sandbox: "off", lists: { allowUnsafe: false, [list]: HARMLESS } }));
    expect(await outcome(here, ["ls"])).toMatch(/^0 /);
    for (const command of BYPASSES) {
      expect(await outcome(here, command), command.toString()).toMatch(/^(COMMAND_NOT_ALLOWED|127 )/);
      expectUntouched(here);
    }
  });
});

describe.each([
  ["bubblewrap", hasBubblewrap, {}],
  ["namespaces", hasNamespaces, { boxKind: "namespaces" }],
] as const)("in %s", (kind, isThere, options) => {
  describe.skipIf(!isThere)("each may run, and what lies outside is neither read nor changed", () => {
    test("bypasses of lists", { timeout: 180_000 }, async () => {
      const here = planted(place(options));
      expect((await here.commands.sandbox()).kind).toBe(kind);
      for (const command of BYPASSES) {
        const seen = await outcome(here, command);
        expect(seen, command.toString()).not.toContain(CANARY);
        expectUntouched(here);
      }
    });

    test("bypasses of an operator's own list", { timeout: 180_000 }, async () => {
      const here = planted(place({ ...options, lists: { allowUnsafe: false, allowed: [...HARMLESS, "make", "vim"] } }));
      expect(await outcome(here, ["ls"])).toMatch(/^0 /);
      for (const command of BYPASSES) {
        expect(await outcome(here, command), command.toString()).not.toContain(CANARY);
        expectUntouched(here);
      }
    });

    test.each(ESCAPES)("%s", async (line) => {
      const here = planted(place({ ...options, baseEnv: { ...process.env, SECRET_TOKEN: CANARY } }));
      expect(await outcome(here, line)).not.toContain(CANARY);
      expectUntouched(here);
      expect(readdirSync("/usr")).not.toContain("new");
      expect(readdirSync("/etc")).not.toContain("new");
    });

    test("no setting of the kernel can be written, also not by root, to whom such files belong", async () => {
      const { run } = place(options);

      const look = "find /proc -path '/proc/[0-9]*' -prune -o -type f -writable -print 2>/dev/null | head -3";
      expect((await run(look)).printed).toBe("");
      const core = "/proc/sys/kernel/core_pattern";
      expect((await run(`was=$(cat ${core}); echo "$was" > ${core}`)).code).not.toBe(0);
      expect((await run("exec 3> /tmp/f; echo still > /dev/fd/3; cat /tmp/f")).printed).toBe("still\n");
    });

    test("capabilities, new privileges and other people's processes are out of reach", async () => {
      const { run } = place(options);
      const { printed } = await run("cat /proc/self/status; ls -d /proc/[0-9]* | wc -l");
      expect(printed).toMatch(/^CapEff:\t0+$/m);
      expect(printed).toMatch(/^NoNewPrivs:\t1$/m);
      expect(Number(printed.trim().split("\n").at(-1))).toBeLessThan(8);
      expect((await run("ls -A /run /home /sys")).printed).not.toMatch(/sock|kernel/);
    });
  });
});

test.skipIf(!hasBubblewrap)("calls to the kernel that no build needs are refused in bubblewrap", async () => {
  const { run } = place();
  const script = `
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
for name, number in dict(${process.arch === "x64" ? "ptrace=101, unshare=272, bpf=321, io_uring_setup=425, clone3=435, keyctl=250, mount=165" : "ptrace=117, unshare=97, bpf=280, io_uring_setup=425, clone3=435, keyctl=219, mount=40"}).items():
    ctypes.set_errno(0)
    libc.syscall(number, 0, 0, 0, 0, 0)
    print(name, ctypes.get_errno())
`;
  const { printed } = await run(["python3", "-c", script]);
  expect(printed.trim().split("\n")).toEqual([
    "ptrace 1",
    "unshare 1",
    "bpf 1",
    "io_uring_setup 38",
    "clone3 38",
    "keyctl 1",
    "mount 1",
  ]);
});
