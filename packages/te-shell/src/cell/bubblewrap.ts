import { findProgram } from "../find-program.js";
import { run } from "../run.js";
import type { Cell, CellOptions, CellSight, Missing } from "./cell.js";

/** The cell made by bubblewrap, looked for in the folders of `path` (default: the system folders) at first use. */
export function bubblewrapCell(options: { readonly path?: string } = {}): { held(): Promise<Cell | Missing> } {
  let found: Promise<Cell | Missing> | undefined;
  return { held: () => (found ??= probe(options.path)) };
}

async function probe(path: string | undefined): Promise<Cell | Missing> {
  const bwrap = await findProgram("bwrap", path);
  if (bwrap === null) return { missing: "bubblewrap is not installed" };
  return {
    run: (argv, see, options) =>
      run([bwrap, ...argumentsFor(see), "--", ...argv], {
        ...options,
        third: see.fd,
        baseEnv: {},
        env: { LANG: "C.UTF-8", LC_ALL: "C.UTF-8" },
      } satisfies CellOptions & Parameters<typeof run>[1]),
  };
}

function argumentsFor(see: CellSight): string[] {
  const system = ["/usr", "/bin", "/lib", "/lib64"].flatMap((folder) => ["--ro-bind-try", folder, folder]);
  const covers = see.closed.flatMap(({ path, kind }) =>
    kind === "folder" ? ["--perms", "0000", "--tmpfs", path] : ["--ro-bind", "/dev/null", path],
  );
  return [
    "--unshare-pid",
    "--unshare-ipc",
    "--unshare-uts",
    "--die-with-parent",
    "--new-session",
    ...(process.getuid?.() === 0 ? ["--cap-drop", "ALL", "--cap-add", "CAP_DAC_OVERRIDE"] : []),
    ...(see.at === "/" ? [] : [...system, "--dev-bind", "/dev/null", "/dev/null"]),
    "--ro-bind-fd",
    "3",
    see.at,
    ...(see.at === "/" ? ["--tmpfs", "/proc", "--tmpfs", "/sys", "--tmpfs", "/dev"] : []),
    ...covers,
    "--chdir",
    see.cwd ?? see.at,
  ];
}
