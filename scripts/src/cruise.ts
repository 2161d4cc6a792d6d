import { join } from "node:path";
import { cruise, type ICruiseOptions, type ICruiseResult } from "dependency-cruiser";
import extractDepcruiseOptions from "dependency-cruiser/config-utl/extract-depcruise-options";
import extractTSConfig from "dependency-cruiser/config-utl/extract-ts-config";
import { layeredPackages } from "./workspace.js";

export interface Violation {
  readonly rule: string;
  readonly comment: string;
  readonly from: string;
  readonly to: string;
}

export interface CruiseReport {
  /** Source modules of ours that were read; zero means that nothing was checked at all. */
  readonly modules: readonly string[];
  readonly violations: readonly Violation[];
}

/** Checks the sources below `root` against the rules that lie there. Changes the working folder: the cruiser resolves from it. */
export async function cruiseWorkspace(
  root: string,
  change: (options: ICruiseOptions) => void = () => {},
): Promise<CruiseReport> {
  process.chdir(root);
  const options = await extractDepcruiseOptions(join(root, ".dependency-cruiser.mjs"));
  change(options);
  const { enhancedResolveOptions = {}, ...cruiseOptions } = options as ICruiseOptions & {
    enhancedResolveOptions?: object;
  };
  const folders = layeredPackages(root).map(({ dir }) => `${dir}/src`);
  const { output } = await cruise(
    folders,
    { ...cruiseOptions, baseDir: root, outputType: "json" },
    enhancedResolveOptions,
    { tsConfig: extractTSConfig(join(root, "tsconfig.base.json")) },
  );
  return toReport(JSON.parse(output as string) as ICruiseResult, options);
}

function toReport({ modules, summary }: ICruiseResult, options: ICruiseOptions): CruiseReport {
  const rules = [...(options.ruleSet?.forbidden ?? []), ...(options.ruleSet?.required ?? [])];
  const comments = new Map(rules.map((rule) => [rule.name ?? "", rule.comment ?? ""]));
  return {
    modules: modules.map(({ source }) => source).filter((source) => /^(packages|apps)\/[^/]+\/src\//.test(source)),
    violations: summary.violations.map(({ rule, from, to }) => ({
      rule: rule.name,
      comment: comments.get(rule.name) ?? "",
      from,
      to,
    })),
  };
}
