const TEST =
  /(?:^|\/)(?:tests?|__tests__|specs?|fixtures?|__fixtures__|mocks?|__mocks__|testdata|examples?|samples?|bench(?:es|marks?)?|e2e)\/|[._-](?:tests?|spec|bench|stories)\.[^/]+$|(?:^|\/)test_[^/]+\.py$|(?:Tests?|Spec)\.(?:java|kt|cs|scala|swift)$/;
const DERIVED =
  /(?:^|\/)(?:node_modules|vendor|third_party|dist|build|out|target|coverage|\.next|generated)\/|\.min\.[^/]+$|\.(?:map|lock|snap|log)$|(?:^|\/)(?:package-lock\.json|pnpm-lock\.yaml)$/;
const PROSE =
  /\.(?:md|mdx|rst|txt|adoc|html?|json|ya?ml|toml|csv|svg)$|(?:^|\/)(?:docs?|changelogs?)\/|(?:^|\/)CHANGELOG/i;

/** What stands first where not all can be shown: sources, then what describes and tests them, then what was made of them. */
export interface FileRank {
  readonly kind: 0 | 1 | 2;
  readonly depth: number;
  readonly path: string;
}

/** `path` as it lies below where the search started: what that lies in says nothing. */
export function fileRank(path: string): FileRank {
  return {
    kind: DERIVED.test(path) ? 2 : TEST.test(path) || PROSE.test(path) ? 1 : 0,
    depth: depthOf(path),
    path,
  };
}

function depthOf(path: string): number {
  let depth = 1;
  for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1)) depth += 1;
  return depth;
}

export function compareFiles(a: FileRank, b: FileRank): number {
  return a.kind - b.kind || a.depth - b.depth || comparePaths(a.path, b.path);
}

export function comparePaths(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
