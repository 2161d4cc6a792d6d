import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { publicPackages, ROOT, type WorkspacePackage } from "./workspace.js";

export interface Packed extends WorkspacePackage {
  readonly tarball: string;
}

/** Packs every public package as it would be published. The builds have to be there. */
export function packAll(folder: string): Packed[] {
  return publicPackages().map((one) => {
    const text = pnpm(["pack", "--json", "--pack-destination", folder], join(ROOT, one.dir));
    const { filename } = JSON.parse(text) as { filename: string };
    return { ...one, tarball: filename };
  });
}

// Where pnpm came by npx it is not on everybody's PATH; but the one that runs this script says where it is.
function pnpm(args: readonly string[], cwd: string): string {
  const own = process.env["npm_execpath"];
  const isPnpm = own !== undefined && /pnpm\.c?js$/.test(own);
  const [program, first] = isPnpm ? [process.execPath, [own]] : ["pnpm", []];
  return execFileSync(program, [...first, ...args], { cwd, encoding: "utf8", timeout: 120_000 });
}
