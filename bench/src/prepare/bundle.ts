import { rmSync } from "node:fs";
import { join } from "node:path";
import { rolldown, type Plugin } from "rolldown";
import shared from "../../../rolldown.config.js";

export const WORKLOADS = [
  "sdk-server",
  "noop-server",
  "in-process",
  "files-in-process",
  "search-in-process",
  "hono-server",
  "http-server",
  "systeminformation-snapshot",
];

/** Bundles as the apps are, our fixtures and the bare servers alike: else they would pay for what we do not. */
export async function bundleAll(bench: string, build: string): Promise<void> {
  rmSync(build, { recursive: true, force: true });
  await bundle(join(bench, "src/measure/main.ts"), join(build, "measure"));
  for (const name of WORKLOADS) await bundle(join(bench, `src/workloads/${name}.ts`), join(build, name));
}

async function bundle(main: string, dir: string): Promise<void> {
  const { output, plugins, ...input } = shared;
  // What concerns an app's own dist folder is not for us.
  const kept = plugins.filter((plugin: Plugin) => plugin.name !== "executable");
  const built = await rolldown({ ...input, input: { main }, plugins: kept, logLevel: "warn" });
  await built.write({ ...output, dir });
  await built.close();
}
