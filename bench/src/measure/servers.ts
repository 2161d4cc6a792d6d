import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Command } from "./lines.js";
import { startMcp, type McpServer } from "./mcp-server.js";

/** A server that is started by `start`, each time with a home of its own. */
export interface Server {
  readonly subject: string;
  readonly optional: boolean;
  start(): Promise<McpServer>;
}

export const SMALLEST = "smallest Node server";
export const BARE_SDK = "bare SDK server";
export const FILESYSTEM = "server-filesystem";
export const COMMANDER = "Desktop Commander";
export const OURS = "LinuxOps";

export interface Places {
  /** A fresh folder of this run, for homes and files. */
  readonly work: string;
  /** The only folder that the servers may touch. */
  readonly files: string;
  /** Settings of LinuxOps that differ from the defaults, in the form of `--set`. */
  readonly settings?: readonly string[];
  readonly fixtures: string;
  /** Bundles of our own workloads. */
  readonly build: string;
  readonly stdioApp: string;
  /** null: they are not installed. */
  readonly peers: string | null;
}

export interface Servers {
  readonly smallest: Server;
  readonly bareSdk: Server;
  readonly filesystem: Server;
  readonly commander: Server;
  readonly ours: Server;
  /** With commands that nothing holds: what holds them is measured elsewhere. */
  readonly oursBare: Server;
  /** Our pipeline and binding around a tool that does nothing. */
  readonly noop: Server;
}

const BARE_COMMANDS = ['sandbox="off"', "allow_unsafe=true"].flatMap((each) => [
  "--set",
  `mcp.linux_ops.commands.${each}`,
]);

export function serversOf(places: Places): Servers {
  const { files, fixtures, build, stdioApp, peers, settings = [] } = places;
  const set = settings.flatMap((each) => ["--set", each]);
  const own = (subject: string, script: string, args: readonly string[] = []): Server => ({
    subject,
    optional: false,
    start: () => startMcp(command(places, script, args)),
  });
  const peer = (
    subject: string,
    script: string,
    args: readonly string[],
    prepare?: (home: string) => void,
  ): Server => ({
    subject,
    optional: true,
    start: async () => {
      if (peers === null) throw new Error("it could not be installed");
      return startMcp(command(places, join(peers, "node_modules", script), args, prepare));
    },
  });
  return {
    smallest: own(SMALLEST, join(fixtures, "smallest-server.mjs")),
    bareSdk: own(BARE_SDK, join(build, "sdk-server/main.js")),
    ours: own(OURS, stdioApp, ["--root", files, ...set]),
    oursBare: own(OURS, stdioApp, ["--root", files, ...BARE_COMMANDS]),
    noop: own(OURS, join(build, "noop-server/main.js"), [files]),
    filesystem: peer(FILESYSTEM, "@modelcontextprotocol/server-filesystem/dist/index.js", [files]),
    commander: peer(COMMANDER, "@wonderwhy-er/desktop-commander/dist/index.js", ["--no-onboarding"], (home) =>
      settleCommander(home, files),
    ),
  };
}

function command(places: Places, script: string, args: readonly string[], prepare?: (home: string) => void): Command {
  const home = mkdtempSync(join(places.work, "home-"));
  prepare?.(home);
  return {
    file: process.execPath,
    args: [script, ...args],
    cwd: home,
    env: {
      HOME: home,
      TMPDIR: home,
      // Without version managers' shims: one for python costs Desktop Commander 50 ms a call.
      PATH: [dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"].join(":"),
      LANG: "C.UTF-8",
      SHELL: "/bin/bash",
      DESKTOP_COMMANDER_DISABLE_TELEMETRY: "1",
      // Its feature flags come from the network: no answer at once is the same as none.
      DC_FLAG_URL: "http://127.0.0.1:9/",
    },
  };
}

/** As after its first run: no telemetry, no onboarding, and a browser found, which it would otherwise download. */
function settleCommander(home: string, files: string): void {
  const folder = join(home, ".claude-server-commander");
  const browser = join(folder, "puppeteer-cache/chrome/linux-1/chrome-linux64");
  mkdirSync(browser, { recursive: true });
  writeFileSync(join(browser, "chrome"), "");
  const config = {
    blockedCommands: [],
    defaultShell: "/bin/bash",
    allowedDirectories: [files],
    telemetryEnabled: false,
    fileWriteLineLimit: 50,
    fileReadLineLimit: 1000,
    pendingWelcomeOnboarding: false,
    welcomeOnboardingEligible: false,
  };
  writeFileSync(join(folder, "config.json"), JSON.stringify(config));
}
