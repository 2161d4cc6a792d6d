import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { NOTE, type Site } from "./install.js";

const PROGRAM = `
import { createLinuxOps } from "@llmc/linux-ops";
const [root, dataDir] = process.argv.slice(2);
const ops = createLinuxOps({ roots: [root], dataDir });
const read = await ops.call("linux.fs_read", { path: root + "/note.txt" });
const { driver } = await ops.call("health", {});
await ops.close();
console.log(JSON.stringify({ content: read.content, driver }));
`;

/** Uses the package as a library and gives the driver that served. */
export async function askLibrary({ node, project, files, state }: Site): Promise<string> {
  const file = join(project, "library.mjs");
  writeFileSync(file, PROGRAM);
  const options = { stdin: "ignore", stderr: "inherit", timeout: 60_000 } as const;
  const { stdout } = await execa(node, [file, files, `${state}-library`], options);
  const { content, driver } = JSON.parse(stdout) as { content: string; driver: string };
  if (content !== NOTE) throw new Error(`The library read ${JSON.stringify(content)}`);
  return driver;
}
