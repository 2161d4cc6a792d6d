import { realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** Where the program code lies that opening a database loads: whoever may write there runs as this process. */
export function driverFolders(): string[] {
  const driver = packageOf(resolved("better-sqlite3"));
  const bindings = besideOf(driver, "bindings");
  return [driver, bindings, besideOf(bindings, "file-uri-to-path")].filter((path) => path !== undefined);
}

/** What a package needs lies beside it, whether packages are shared or not. */
function besideOf(folder: string | undefined, name: string): string | undefined {
  return folder === undefined ? undefined : real(join(dirname(folder), name));
}

function resolved(name: string): string | undefined {
  try {
    // Not import.meta.resolve: after it Node 20 imports a CommonJS package without its default.
    return real(createRequire(import.meta.url).resolve(name));
  } catch {
    // It is optional: what is not installed is not loaded either.
    return undefined;
  }
}

function real(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** `…/node_modules/name/lib/index.js` → `…/node_modules/name` */
function packageOf(file: string | undefined): string | undefined {
  return file === undefined ? undefined : /^.*\/node_modules\/[^/]+(?=\/)/.exec(file)?.[0];
}
