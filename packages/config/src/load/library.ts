import type { z } from "zod";
import { OWN_HOME, settlePath, WORKING_FOLDER, type Base } from "../layers/folders.js";
import { Faults } from "../error/faults.js";
import { layerOf, merge } from "../layers/layer.js";
import { commandLineLayer } from "../layers/overrides.js";
import type { mcpSchema } from "../schema/mcp.js";
import { effectiveRoots, frozen, originsOf, privatePaths, rootWarnings, sentences, type Settings } from "./settings.js";
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
  const faults = new Faults();
  const written = layerOf(table ?? {}, base, () => undefined, faults);
  const layer = merge([written, commandLineLayer({ roots }, base, faults)]);
  const validated = validate(layer, faults);
  faults.demandNone();
  const { mcp } = validated;
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
    filters: [],
    warnings: frozen(rootWarnings(mcp, effective)),
    origins: frozen(originsOf(layer, validated)),
    moved: frozen(sentences(validated)),
    privatePaths: frozen(privatePaths({ mcp, dataDir: kept })),
  });
}
