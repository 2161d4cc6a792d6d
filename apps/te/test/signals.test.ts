import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { endOf, freshHome, TE, texts } from "./processes.js";

const LONG = { timeout: 20_000, interval: 20 };
const exists = async (path: string) => await expect.poll(() => existsSync(path), LONG).toBe(true);

test.each(["SIGTERM", "SIGINT", "SIGHUP", "SIGUSR1"] as const)(
  "%s reaches the command, and te waits for its end",
  async (signal) => {
    const { launchTe, home } = freshHome();
    const script = `trap 'echo caught; exit 7' ${signal.slice(3)}; touch ready; while :; do read -t 1 x < fifo; done`;
    const child = launchTe("bash", "-c", `mkfifo fifo; exec 9<>fifo; ${script}`);
    const ended = endOf(child);
    await exists(join(home, "ready"));
    child.kill(signal);
    expect(texts(await ended)).toEqual({ code: 7, stdout: "caught\n", stderr: "" });
  },
);

test("te ends by the signal that ended the command, with what it had printed", async () => {
  const { te, launchTe, home } = freshHome();
  expect(texts(await te(["sh", "-c", "echo before; kill -TERM $$"]))).toEqual({
    code: "SIGTERM",
    stdout: "before\n",
    stderr: "",
  });
  expect((await te(["sh", "-c", "kill -SEGV $$"])).code).toBe(128 + 11);
  const child = launchTe("sh", "-c", "touch ready; exec sleep 600");
  const ended = endOf(child);
  await exists(join(home, "ready"));
  child.kill("SIGTERM");
  expect((await ended).code).toBe("SIGTERM");
});

test("what a program in the background prints later is not lost, and te does not wait for it", async () => {
  const { launchTe, run, home } = freshHome();
  await run(["mkfifo", "go"]);
  const child = launchTe("(read line < go; echo late) & echo now");
  const output = endOf(child);
  const [code] = (await once(child, "exit")) as [number];
  expect(code).toBe(0);
  writeFileSync(join(home, "go"), "go\n");
  expect(texts(await output).stdout).toBe("now\nlate\n");
});

const script = ["/usr/bin/script", "/bin/script"].find((path) => existsSync(path));

function inTerminal(...argv: string[]) {
  const { launch } = freshHome();
  const line = [process.execPath, TE, ...argv].map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
  const child = launch([script ?? "", "-qefc", `exec ${line}`, "/dev/null"]);
  onTestFinished(() => void child.kill("SIGKILL"));
  let screen = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (screen += text));
  return {
    child,
    shows: async (text: string) => await expect.poll(() => screen, LONG).toContain(text),
    ended: async () => {
      const [code] = (await once(child, "close")) as [number];
      return { code, screen: screen.replaceAll("\r\n", "\n") };
    },
  };
}

test.skipIf(script === undefined)("in a terminal nothing is shortened (skipped without script)", async () => {
  const { code, screen } = await inTerminal("sh", "-c", "seq 3000; test -t 1 && exit 6").ended();
  expect(screen).toBe(Array.from({ length: 3000 }, (_, at) => `${at + 1}\n`).join(""));
  expect(code).toBe(6);
});

test.skipIf(script === undefined)("ctrl-c reaches the command once (skipped without script)", async () => {
  const trap = 'n=0; trap \'n=$((n+1)); echo "caught $n"\' INT; echo ready; until read line; do :; done; echo "end $n"';
  const { child, shows, ended } = inTerminal("bash", "-c", trap);
  await shows("ready");
  child.stdin.write("\u0003");
  await shows("caught 1");
  child.stdin.write("go on\n");
  const { code, screen } = await ended();
  expect(code).toBe(0);
  expect(screen).toContain("end 1\n");
});
