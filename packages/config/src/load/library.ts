import type { z } from "zod";
import { OWN_HOME, settlePath, WORKING_FOLDER, type Base } from "../layers/folders.js";
import { layerOf, merge } from "../layers/layer.js";
import { commandLineLayer } from "../layers/overrides.js";
import type { mcpSchema } from "../schema/mcp.js";
import { effectiveRoots, frozen, privatePaths, rootWarnings, type Settings } from "./settings.js";
import { validate } from "../check/validate.js";

export interface LibraryOptions {
  readonly roots?: readonly string[] | undefined;
  readonly mcp?: z.input<typeof mcpSchema> | undefined;
  readonly dataDir?: string | null | undefined;
  readonly home?: string | undefined;
}

/** Settings for a program that uses us as a library: made from its arguments alone, without file or environment. */
export function settingsOf({ roots, mcp: table, dataDir = null, home }: LibraryOptions = {}): Settings {
  // Looked up at first use: most library users never write a "~".
  let known = home;
  const homeOf = () => (known ??= OWN_HOME());
  const base: Base = { folder: WORKING_FOLDER, home: homeOf };
  const mcp = validate(merge([layerOf(table ?? {}, base, () => undefined), commandLineLayer({ roots }, base)]));
  const effective = effectiveRoots(mcp);
  const kept = dataDir === null ? null : settlePath(dataDir, base);
  return Object.freeze({
    mcp: frozen(mcp),
    file: null,
    dataDir: kept,
    get home() {
      return homeOf();
    },
    roots: frozen(effective),
    warnings: frozen(rootWarnings(mcp, effective)),
    privatePaths: frozen(privatePaths({ mcp, dataDir: kept })),
  });
}
