/** Where a process lies in the tree of control groups, and what that says of it. */
export interface CgroupPlace {
  readonly path: string;
  /** The unit of systemd, such as nginx.service. */
  readonly unit?: string;
  /** The container's id as its runtime writes it, 12 characters. */
  readonly container?: string;
}

const UNIT = /^[^/]+\.(?:service|scope|slice|socket|mount)$/;
const CONTAINER = /(?:^|[-/:.])([0-9a-f]{64})(?:\.scope)?$/;
const SHORT = 12;

/** Of the lines of /proc/PID/cgroup: the one of version 2, else the first that leads anywhere. */
export function placeIn(text: string): CgroupPlace | undefined {
  const lines = text
    .split("\n")
    .filter(Boolean)
    .map((line) => line.split(":"))
    .map(([id = "", controllers = "", ...rest]) => ({ id, controllers, path: rest.join(":") }));
  const unified = lines.find(({ id, controllers }) => id === "0" && controllers === "");
  const leading = lines.find(({ path }) => path !== "/" && path !== "");
  const path = unified !== undefined && unified.path !== "/" ? unified.path : (leading ?? unified ?? lines[0])?.path;
  return path === undefined ? undefined : describe(path);
}

function describe(path: string): CgroupPlace {
  const names = path.split("/");
  const container = names.map((name) => CONTAINER.exec(name)?.[1]).findLast((id) => id !== undefined);
  const unit = names.findLast((name) => UNIT.test(name) && !CONTAINER.test(name) && !name.endsWith(".slice"));
  return {
    path,
    ...(unit === undefined ? {} : { unit: unescape(unit) }),
    ...(container === undefined ? {} : { container: container.slice(0, SHORT) }),
  };
}

/** systemd writes a dash in a name as \x2d. */
function unescape(unit: string): string {
  return unit.replace(/\\x([0-9a-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
