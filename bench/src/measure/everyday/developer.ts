import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { run, start, type Task } from "./task.js";

const FOLDER = "recorded";

interface Recorded {
  readonly command: string;
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Developer {
  readonly tasks: readonly Task[];
  /** Programs of the project that print a recorded output and end as the recorded command did. */
  readonly programs: ReadonlyMap<string, string>;
}

/** Commands of a developer, whose outputs were recorded on a small project. `folder` holds the recordings. */
export function developerTasks(folder: string): Developer {
  const all = readdirSync(folder).flatMap((name) =>
    name.endsWith(".json")
      ? [[name.slice(0, -5), JSON.parse(readFileSync(join(folder, name), "utf8")) as Recorded] as const]
      : [],
  );
  return {
    tasks: all.flatMap(([name, recorded]) => (FACTS[name] === undefined ? [] : [taskOf(name, recorded, FACTS[name])])),
    programs: new Map(all.flatMap(([name, recorded]) => programOf(name, recorded))),
  };
}

function programOf(name: string, { command, code, stdout, stderr }: Recorded): (readonly [string, string])[] {
  const place = `${FOLDER}/${name}`;
  const script = `#!/bin/sh\nd=$(dirname "$0")\ncat "$d/stdout"\ncat "$d/stderr" >&2\nexit ${code}\n`;
  return [
    [`${place}/${command.split(" ")[0]}`, script],
    [`${place}/stdout`, stdout],
    [`${place}/stderr`, stderr],
  ];
}

function taskOf(name: string, { command }: Recorded, facts: readonly string[]): Task {
  const line = `${FOLDER}/${name}/${command}`;
  return {
    name: `${name}: ${command}`,
    kind: "command",
    ours: [[run(line)]],
    dc: [[start(`cd $shop; ${line}`)]],
    shell: [[`${line} 2>&1 | tail -n 40`]],
    check: (said) => facts.every((fact) => said.includes(fact)),
  };
}

/** Facts that an agent needs from the output of each command. */
const FACTS: Readonly<Record<string, readonly string[]>> = {
  "pytest-verbose": ["test_part4.py::test_tax", "tests/test_part4.py:11", "test_part7.py::test_price[11]", "12 failed"],
  pytest: ["test_discount[20]", "tests/test_cart.py:13", "src/cart.py:10", "not enough values to unpack", "5 failed"],
  "node-test": ["takes a discount", "cart.test.mjs:4:", "reads a line", "cart.test.mjs:5:", "# fail 2"],
  "node-spec": ["takes a discount", "cart.test.mjs:4:", "reads a line", "cart.test.mjs:5:", "fail 2"],
  vitest: ["takes a discount", "a.test.ts:3:", "reads a line", "a.test.ts:4:", "2 failed"],
  "cargo-test": ["tests::adds_many", "src/lib.rs:16", "left: 100", "unused variable: `unused`", "1 failed"],
  "make-many": ["Wsign-conversion", "unused variable ‘unused’", "part1.c", "may change the sign of the result"],
  make: ["main.c:6", "implicit declaration of function ‘missing’", "unused variable ‘unused’"],
  "tsc-many": ["TS7006", "TS2304", "Cannot find name 'total'", "src/lib/part1.ts"],
  "oxlint-many": ["part1.ts", "no-undef"],
  oxlint: ["no-debugger", "a.ts"],
  "git-diff-many": ["src/lib/part1.ts", "+ 100;", "src/lib/part20.ts", "+ 2000;"],
  "git-status-many": ["src/lib/part1.ts", "src/lib/part20.ts"],
  "git-log": ["cart: write note 25", "shop: count what is in the cart"],
  "git-blame": ["Ann", "def discount", "def parse"],
  "grep-many": ["part1.ts", "part60.ts", "deep/b30.ts"],
  "find-many": ["src/lib/deep", "web/css"],
  "ls-many": ["part1.ts", "deep"],
  ls: ["automaton.ts", "7425"],
  journal: ["ERROR price list 17 is gone", "Out of memory: Killed process 4242"],
  "docker-logs": ["refund of order 1222 was refused", "Payments.java:41"],
  "kubectl-pods": ["CrashLoopBackOff", "Pending", "120"],
  json: ["disputed", "1033"],
  "python-trace": ["no orders to report on", "trace.py", "line 4", "JSONDecodeError"],
};
