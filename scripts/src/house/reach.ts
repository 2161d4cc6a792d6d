/** Everything that can be reached from `start` along `edges`; `start` itself only through a cycle. */
export function reach(start: string, edges: (from: string) => Iterable<string>): Set<string> {
  const seen = new Set<string>();
  const open = [start];
  for (let from = open.pop(); from !== undefined; from = open.pop()) {
    for (const to of edges(from)) {
      if (seen.has(to)) continue;
      seen.add(to);
      open.push(to);
    }
  }
  return seen;
}
