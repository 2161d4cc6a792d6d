import { join } from "node:path";
import { execa } from "execa";
import { publicPackages, ROOT, type WorkspacePackage } from "./workspace.js";

export interface Packed extends WorkspacePackage {
  readonly tarball: string;
}

/** Packs every public package as it would be published. The builds have to be there. */
export async function packAll(folder: string): Promise<Packed[]> {
  const packed: Packed[] = [];
  for (const one of publicPackages()) {
    const text = await pnpm(["pack", "--json", "--pack-destination", folder], join(ROOT, one.dir));
    const { filename } = JSON.parse(text) as { filename: string };
    packed.push({ ...one, tarball: filename });
  }
  return packed;
}

// Where pnpm came by npx it is not on everybody's PATH; but the one that runs this script says where it is.
async function pnpm(args: readonly string[], cwd: string): Promise<string> {
  const own = process.env["npm_execpath"];
  const isPnpm = own !== undefined && /pnpm\.c?js$/.test(own);
  const [program, first] = isPnpm ? [process.execPath, [own]] : ["pnpm", []];
  const options = { cwd, stdin: "ignore", stderr: "inherit", timeout: 120_000 } as const;
  const { stdout } = await execa(program, [...first, ...args], options);
  return stdout;
}
