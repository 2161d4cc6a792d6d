import { cruiseWorkspace } from "./cruise.js";
import { layeredPackages, ROOT } from "./workspace.js";

const { modules, violations } = await cruiseWorkspace(ROOT);

for (const { rule, from, to, comment } of violations) {
  console.error(`${rule}: ${from}${to === from ? "" : ` → ${to}`}\n  ${comment}`);
}
// A cruiser that cannot read TypeScript finds no modules and no violations, and says that all is well.
const unread = layeredPackages().filter(({ dir }) => !modules.some((module) => module.startsWith(`${dir}/`)));
for (const { dir } of unread) console.error(`No module of ${dir} was read: the fences did not look at it.`);

console.log(`fences: ${modules.length} modules, ${violations.length} violations`);
if (modules.length === 0 || unread.length > 0 || violations.length > 0) process.exitCode = 1;
