import { lstatSync, readlinkSync } from "node:fs";
import { resolve } from "node:path";
import { contains } from "../cell/covers.js";
import type { Mount } from "./mounts.js";

/** Read-only inside, where they exist. A link stays a link. */
const SYSTEM_FOLDERS = "/usr /etc /opt /var /bin /sbin /lib /lib32 /lib64 /libx32 /nix /gnu".split(" ");
/** With the root "/" these are shut beside them: sockets answer through a read-only mount too. */
const NEVER_SHOWN = ["/run", "/sys", "/boot", "/lost+found"];
const NO_HOME = "/home/session";

export interface ViewRoot {
  /** As the operator spelled it. */
  readonly path: string;
  readonly real: string;
  readonly write: boolean;
}

/** Something that stays shut. */
export interface Hidden {
  readonly path: string;
  readonly kind: "file" | "folder";
}

export interface ViewSources {
  readonly roots: readonly ViewRoot[];
  /** Of the server's user; where the session's folder lies. */
  readonly home: string;
  readonly sessionHome: string;
  readonly sessionTmp: string;
  readonly toolchains: readonly string[];
  readonly read: readonly string[];
  readonly write: readonly string[];
  readonly hidden: readonly Hidden[];
  /** Read-only inside a root, because others execute it. */
  readonly guarded: readonly string[];
  /** Held in their place, so that what is guarded in them cannot be moved away with them. */
  readonly pinned: readonly string[];
  /** An empty folder, and a file that nobody may open. */
  readonly empty: string;
  readonly shut: string;
  /** Where names are resolved, when the network is open and it lies in /run. */
  readonly resolver: string | undefined;
  /** What of /run and /var/log a look at the host takes. */
  readonly hostPaths: readonly string[];
}

export interface View {
  readonly mounts: readonly Mount[];
  /** Where the command's home lies. */
  readonly home: string;
  /** Whether a command sees what lies at this path, links resolved. */
  sees(real: string): boolean;
}

export function viewOf(sources: ViewSources): View {
  const { roots, resolver, hostPaths } = sources;
  const isWhole = roots.some(({ real }) => real === "/");
  const home = sources.home === "/" || sources.home === "" ? NO_HOME : sources.home;
  const inRoots = (path: string): boolean => roots.some(({ real }) => contains(real, path));
  const own: Mount[] = [
    ...(inRoots(home) ? [] : [bind(sources.sessionHome, home, true)]),
    ...(inRoots("/tmp") ? [] : [bind(sources.sessionTmp, "/tmp", true), bind(sources.sessionTmp, "/var/tmp", true)]),
  ];
  // A root in a place that stays shut was opened on purpose: it lies over it.
  const below = sources.hidden.filter(
    ({ path, kind }) => kind === "folder" && roots.some(({ real }) => contains(path, real)),
  );
  const around = below.filter(({ path }) => inRoots(path) && exists(path, "folder"));
  const opened = [
    ...own,
    ...around.map(({ path }) => bind(sources.empty, path, false)),
    ...sources.toolchains.filter((path) => !inRoots(path)).map((path) => bind(path, path, false)),
    ...roots.filter(({ real }) => real !== "/").map(({ real, write }) => bind(real, real, write)),
    ...sources.read.map((path) => bind(path, path, false, true)),
    ...sources.write.map((path) => bind(path, path, true, true)),
  ].toSorted((a, b) => depth(a.at) - depth(b.at));
  const system = systemMounts(isWhole);
  const shown = [...system, ...opened].flatMap((mount) => (mount.kind === "bind" ? [mount.at] : []));
  const shut = sources.hidden.filter((each) => !below.includes(each));
  const hidden = outermost(shut.filter(({ path }) => isWhole || shown.some((at) => contains(at, path))));
  const isHidden = (path: string): boolean => hidden.some((each) => contains(each.path, path));
  const sees = (real: string): boolean =>
    !isHidden(real) &&
    (isWhole
      ? !["/proc", ...NEVER_SHOWN].some((folder) => contains(folder, real))
      : shown.some((at) => contains(at, real)));
  return {
    home,
    sees,
    mounts: [
      ...(isWhole ? [bind("/", "/", true)] : []),
      ...system,
      ...(isWhole ? NEVER_SHOWN.filter(isFolder).map((path) => bind(sources.empty, path, false)) : []),
      { kind: "proc", at: "/proc" },
      { kind: "dev", at: "/dev" },
      ...opened,
      ...(resolver === undefined ? [] : [bind(resolver, resolver, false, true)]),
      ...hostPaths.map((path) => bind(path, path, false, true)),
      ...roots.flatMap(({ path, real }) => (path === real || isWhole || sees(path) ? [] : [link(real, path)])),
      ...sources.pinned.filter((path) => sees(path)).map((path) => bind(path, path, true)),
      ...sources.guarded.filter((path) => sees(path)).map((path) => bind(path, path, false, true)),
      ...hidden.map(({ path, kind }) => bind(kind === "folder" ? sources.empty : sources.shut, path, false)),
    ],
  };
}

/** Links such as /bin -> usr/bin are made anew; with the root "/" they are there already. */
function systemMounts(isWhole: boolean): Mount[] {
  return SYSTEM_FOLDERS.flatMap((path): Mount[] => {
    const found = statOf(path);
    if (found === undefined) return [];
    if (!found.isSymbolicLink()) return found.isDirectory() ? [bind(path, path, false)] : [];
    return isWhole ? [] : [link(resolve("/", readlinkSync(path)), path)];
  });
}

function outermost(hidden: readonly Hidden[]): Hidden[] {
  const byPath = new Map(hidden.map((each) => [each.path, each]));
  return [...byPath.values()]
    .filter(({ path }) => ![...byPath.keys()].some((other) => other !== path && contains(other, path)))
    .filter(({ path, kind }) => path !== "/proc" && path !== "/dev" && exists(path, kind));
}

function exists(path: string, kind: Hidden["kind"]): boolean {
  const found = statOf(path);
  return found !== undefined && !found.isSymbolicLink() && found.isDirectory() === (kind === "folder");
}

function isFolder(path: string): boolean {
  return statOf(path)?.isDirectory() === true;
}

function statOf(path: string) {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    // Where we may not look, a command with our rights may not either.
    return undefined;
  }
}

function bind(from: string, at: string, write: boolean, isOptional = false): Mount & { kind: "bind" } {
  return { kind: "bind", from, at, write, isOptional };
}

function link(to: string, at: string): Mount {
  return { kind: "link", to, at };
}

function depth(path: string): number {
  return path === "/" ? 0 : path.split("/").length;
}
