import { OpsError } from "@llmc/errors";
import { describe, expect, test } from "vitest";
import { commandPolicy, machineTopic, type CommandLists, type CommandRequest, type Program } from "../../src/index.js";

/** A machine with these programs: names on the PATH, and where they lead. */
const PROGRAMS: Readonly<Record<string, string>> = {
  ls: "/usr/bin/ls",
  git: "/usr/bin/git",
  find: "/usr/bin/find",
  awk: "/usr/bin/mawk",
  mawk: "/usr/bin/mawk",
  bash: "/usr/bin/bash",
  sh: "/usr/bin/dash",
  dash: "/usr/bin/dash",
  python: "/usr/bin/python3.11",
  python3: "/usr/bin/python3.11",
  "python3.11": "/usr/bin/python3.11",
  sudo: "/usr/bin/sudo",
  frob: "/opt/frob",
  cat: "/bin/busybox",
  busybox: "/bin/busybox",
  ash: "/bin/busybox",
  "/usr/bin/ls": "/usr/bin/ls",
  "/tmp/evil/ls": "/tmp/evil/ls",
  "./gradlew": "/srv/app/gradlew",
  "/usr/bin/mawk": "/usr/bin/mawk",
};

const resolve = async (name: string): Promise<Program | undefined> => {
  const real = PROGRAMS[name];
  return real === undefined ? undefined : { path: name.includes("/") ? name : `/usr/bin/${name}`, real };
};

async function decide(
  line: string | readonly string[],
  lists: Partial<CommandLists> = {},
  asked: Partial<CommandRequest> = {},
) {
  const command = typeof line === "string" ? { line } : { argv: line };
  const policy = commandPolicy({ allowUnsafe: false, ...lists });
  try {
    const decision = await policy.decide({ command, use: "command", isHeld: false, resolve, ...asked });
    return "missing" in decision ? `missing ${decision.missing}` : decision.argv.join(" ");
  } catch (thrown) {
    if (!OpsError.is(thrown)) throw thrown;
    return `${thrown.code}: ${thrown.message} - ${JSON.stringify(thrown.advice)}`;
  }
}

const HELD = { isHeld: true };

describe("without a list of the operator's, without a sandbox", () => {
  test.each(["ls -la", "git log --oneline", "awk '{print $1}' x"])("%s runs", async (line) => {
    expect(await decide(line)).toBe(line.replaceAll("'", ""));
  });
  test.each([
    ["python3 x.py", /runs whatever it is told/],
    ["dash x", /runs whatever it is told/],
    ["ash x", /runs whatever it is told/],
    ["frob", /not among the programs/],
    ["./gradlew", /not among the programs/],
    ["/tmp/evil/ls", /not among the programs/],
    ["sudo ls", /raises privileges/],
    ["find . -exec id ;".replace(";", "+"), /with "-exec" find runs other programs/],
    ["git -c core.pager=id log", /with "-c" git/],
    ["awk 'BEGIN{system(1)}'", /awk runs other programs/],
    ["ls | wc -l", /"\|" takes bash, and no sandbox holds it/],
  ])("%s is refused", async (line, reason) => {
    expect(await decide(line)).toMatch(/^COMMAND_NOT_ALLOWED: /);
    expect(await decide(line)).toMatch(reason);
  });
  test("what exists nowhere is missing, not refused", async () => {
    expect(await decide("nosuch -x")).toBe("missing nosuch");
  });
  test("a program of many programs is the one by whose name it is started", async () => {
    expect(await decide("cat x")).toBe("cat x");
    expect(await decide("busybox sh")).toMatch(/^COMMAND_NOT_ALLOWED/);
  });
  test("allow_unsafe opens what is known as unsafe, and arguments, but nothing that raises privileges", async () => {
    const lists = { allowUnsafe: true };
    expect(await decide("python3 x", lists)).toBe("python3 x");
    expect(await decide("find . -delete", lists)).toBe("find . -delete");
    expect(await decide("frob", lists)).toMatch(/not among the programs/);
    expect(await decide("sudo ls", lists)).toMatch(/raises privileges/);
  });
  test("unsafe_binaries written out: none, or those", async () => {
    expect(await decide("python3 x", { unsafe: [] })).toBe("python3 x");
    expect(await decide("python3.11 x", { unsafe: ["python"] }, HELD)).toMatch(
      /python3.11 is in the operator's list of unsafe programs.*allow-unsafe/,
    );
    expect(await decide("ls", { unsafe: ["ls"] })).toMatch(
      /ls is in the operator's list of unsafe programs.*allow-unsafe/,
    );
    expect(await decide("ls", { unsafe: ["ls"], allowUnsafe: true })).toBe("ls");
  });
});

describe("in a sandbox that works", () => {
  test.each(["python3 x.py", "frob", "./gradlew build", "find . -exec id +", "busybox sh"])("%s runs", async (line) => {
    expect(await decide(line, {}, HELD)).toBe(line);
  });
  test("shell syntax runs in bash", async () => {
    expect(await decide("ls | wc -l", {}, HELD)).toBe("bash -c ls | wc -l");
  });
  test("a line for a shell is bash's, whatever is in it", async () => {
    expect(await decide("", {}, { ...HELD, command: { line: "ls", isShell: true } })).toBe("bash -c ls");
  });
  test("what raises privileges does not", async () => {
    expect(await decide("sudo ls", {}, HELD)).toMatch(/raises privileges/);
  });
});

describe.each([true, false])("the operator's list binds, held: %s", (isHeld) => {
  const own = (line: string, lists: Partial<CommandLists>, asked: Partial<CommandRequest> = {}) =>
    decide(line, lists, { isHeld, ...asked });

  test("what is in it runs, also what is unsafe or raises privileges", async () => {
    expect(await own("python3 x", { commands: ["python3"] })).toBe("python3 x");
    expect(await own("sudo ls", { commands: ["sudo"] })).toBe("sudo ls");
  });
  test("what is not in it does not, by whatever name", async () => {
    expect(await own("ls", { commands: ["git"] })).toMatch(
      /ls is not in the operator's list - {"id":"allowed-programs","list":"commands","names":\["git"\],"more":0}/,
    );
    expect(await own("/tmp/evil/ls", { commands: ["ls"] })).toMatch(/not in the operator's list/);
    expect(await own("ash", { commands: ["cat"] })).toMatch(/not in the operator's list/);
    expect(await own("busybox sh", { commands: ["cat"] })).toMatch(/not in the operator's list/);
  });
  test("the same file by its path is the same program", async () => {
    expect(await own("/usr/bin/ls -l", { commands: ["ls"] })).toBe("/usr/bin/ls -l");
    expect(await own("mawk x", { commands: ["/usr/bin/mawk"] })).toBe("mawk x");
  });
  test("arguments are judged, unless the operator allows what is unsafe", async () => {
    expect(await own("find . -delete", { commands: ["find"] })).toMatch(/with "-delete" find/);
    expect(await own("find . -delete", { commands: ["find"], allowUnsafe: true })).toBe("find . -delete");
  });
  test("shell syntax takes bash in the list", async () => {
    expect(await own("ls | wc", { commands: ["ls", "wc"] })).toMatch(/takes bash, which is not in the operator's list/);
    expect(await own("ls | wc", { commands: ["bash"] })).toBe("bash -c ls | wc");
    expect(await own("ls | wc", { commands: ["bash"], unsafe: ["bash"] })).toMatch(
      /bash is in the operator's list of unsafe programs.*allow-unsafe/,
    );
  });
  test("an empty list allows nothing", async () => {
    expect(await own("ls", { commands: [] })).toMatch(/"list":"commands","names":\[\],"more":0/);
  });
  test("each list stands in for the other where that is unset", async () => {
    const lists = { allowed: ["git"], commands: ["ls"] };
    expect(await own("ls", lists)).toBe("ls");
    expect(await own("git status", lists, { use: "process" })).toBe("git status");
    expect(await own("git status", lists)).toMatch(/not in the operator's list/);
    expect(await own("git status", { allowed: ["git"] })).toBe("git status");
    expect(await own("ls", { commands: ["ls"] }, { use: "process" })).toBe("ls");
  });
});

test.each([
  ["", /The command is empty/],
  ["   ", /The command is empty/],
  ["echo 'a", /ends inside a quote/],
  ["echo \0", /NUL/],
])("%j is no command", async (line, reason) => {
  expect(await decide(line)).toMatch(/^INVALID_ARGUMENT/);
  expect(await decide(line)).toMatch(reason);
});

test("words are taken as they are, and none may be missing or hold a NUL", async () => {
  expect(await decide(["ls", "a b", "$(x)", "*"], {}, HELD)).toBe("ls a b $(x) *");
  expect(await decide([], {}, HELD)).toMatch(/The command is empty/);
  expect(await decide(["ls", "\0"], {}, HELD)).toMatch(/Word 1 of the command holds a NUL/);
});

test("which tool answers for the machine", () => {
  expect([machineTopic("ps"), machineTopic("journalctl"), machineTopic("ls")]).toEqual([
    "processes",
    "logs",
    undefined,
  ]);
});
