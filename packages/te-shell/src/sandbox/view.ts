import { lstatSync, readlinkSync } from "node:fs";
import { dirname } from "node:path";
import { contains } from "@llmc/te-run";
import type { Hidden } from "./closed-paths.js";
import { foldGuards } from "./fold-guards.js";
import { SHIM_FOLDER } from "./git-shim.js";
import type { Mount } from "./mounts.js";

/** Read-only inside, where they exist. A link stays a link. */
const SYSTEM_FOLDERS = "/usr /etc /opt /var /bin /sbin /lib /lib32 /lib64 /libx32 /nix /gnu".split(" ");
/** With the root "/" these are shut beside them: sockets answer through a read-only mount too. */
const NEVER_SHOWN = ["/run", "/sys", "/boot", "/lost+found"];
/** Folders of which each command has its own. */
const OF_COMMANDS = ["/proc", "/dev", "/sys", "/run", "/tmp", "/var/tmp"];
const NO_HOME = "/home/session";

export interface ViewRoot {
  /** As the operator spelled it. */
  readonly path: string;
  readonly real: string;
  readonly write: boolean;
}

type Bind = Extract<Mount, { kind: "bind" }>;

export interface ViewSources {
  /** The command's folder. */
  readonly cwd: string;
  readonly roots: readonly ViewRoot[];
  /** Of the server's user; where the session's folder lies. */
  readonly home: string;
  readonly sessionHome: string;
  readonly sessionTmp: string;
  /** Folder of programs that replace installed ones; undefined for a command that uses only installed programs. */
  readonly tools: string | undefined;
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
  /** Read-only as a whole, because what others execute lies in too many places there. */
  readonly folded: readonly string[];
  /** Paths that a mount keeps read-only, in folders that the command may write to. */
  readonly guarded: readonly string[];
  /** Folder of the session mounted as /tmp, where the tools leave files; undefined for a command without the tools. */
  readonly toolsTmp: string | undefined;
  /** Folders of the session that have to be there, and no links: something is mounted on them. */
  readonly places: readonly string[];
  /** In folders of the session: roots by their other spelling, which leads to where they are mounted with their covers. */
  readonly links: readonly { readonly at: string; readonly to: string }[];
  /** Whether a command sees what lies at this path, links resolved. */
  sees(real: string): boolean;
  /**
   * Tells whether the sandbox hides a path of the machine; false in /tmp, /proc and the like and for dot files of the
   * home, of which commands have their own. Does not touch the path.
   */
  hides(path: string): boolean;
}

export function viewOf(sources: ViewSources): View {
  const { roots, resolver, hostPaths } = sources;
  const isWhole = roots.some(({ real }) => real === "/");
  const home = sources.home === "/" || sources.home === "" ? NO_HOME : sources.home;
  const inRoots = (path: string): boolean => roots.some(({ real }) => contains(real, path));
  // A root in a place that stays shut was opened on purpose: it lies over it.
  const around = sources.hidden.filter(
    ({ path, kind }) => kind === "folder" && roots.some(({ real }) => contains(path, real)),
  );
  const opened = [
    ...around
      .filter(({ path }) => inRoots(path) && isOfKind(path, "folder"))
      .map(({ path }) => bind(sources.empty, path)),
    ...sources.toolchains.filter((path) => !inRoots(path)).map((path) => bind(path, path)),
    ...roots.filter(({ real }) => real !== "/").map(({ real, write }) => bind(real, real, write)),
    ...sources.read.map((path) => bind(path, path, false, true)),
    ...sources.write.map((path) => bind(path, path, true, true)),
  ];
  const own = [
    ...(inRoots(home) ? [] : [{ from: sources.sessionHome, at: home }]),
    ...(inRoots("/tmp") ? [] : [{ from: sources.sessionTmp, at: "/tmp" }]),
  ].map((session) => {
    const links = roots.filter(({ path, real }) => path !== real && path !== session.at && contains(session.at, path));
    return { ...session, links, places: placesIn(session.at, opened, links) };
  });
  const laid = [
    ...own.flatMap(({ from, at, places }) => [
      bind(from, at, true),
      // Each pinned by a mount of its own: no command can put a link in the place of one and be followed by the next mount.
      ...places.map((place) => bind(from + place, at + place, true)),
    ]),
    ...own.flatMap(({ from, at }) => (at === "/tmp" ? [bind(from, "/var/tmp", true)] : [])),
    ...opened,
  ].toSorted((a, b) => depth(a.at) - depth(b.at));
  const system = systemMounts(isWhole);
  const shown = [...(isWhole ? [bind("/", "/", true)] : []), ...system, ...laid].filter(
    (mount) => mount.kind === "bind",
  );
  /** What is really there, and not a folder of the session in its place. */
  const isReal = (path: string): boolean => {
    // The deepest counts; of two in one place the later.
    const over = shown
      .filter(({ at }) => contains(at, path))
      .toSorted((a, b) => a.at.length - b.at.length)
      .at(-1);
    return over !== undefined && over.from === over.at && !(isWhole && isNeverShown(path));
  };
  const hidden = outermost(sources.hidden.filter((each) => !around.includes(each) && isReal(each.path)));
  const sees = (real: string): boolean => isReal(real) && !hidden.some((each) => contains(each.path, real));
  const writable = roots.filter(({ write }) => write).map(({ real }) => real);
  const isGuarded = (path: string): boolean => sees(path) && writable.some((root) => contains(root, path));
  const { guarded, pinned, folded } = foldGuards(
    { guarded: sources.guarded.filter(isGuarded), pinned: sources.pinned.filter(isGuarded) },
    sources.cwd,
    writable,
  );
  // Dot files in the home belong to the session, so commands can use them.
  const { tools } = sources;
  const hasTools = tools !== undefined && !isWhole && !inRoots("/tmp");
  const isOwn = (path: string): boolean =>
    OF_COMMANDS.some((folder) => contains(folder, path)) || path.startsWith(`${home}/.`);
  return {
    home,
    guarded,
    toolsTmp: hasTools ? sources.sessionTmp : undefined,
    sees,
    hides: (path) => !isOwn(path) && !sees(path),
    folded,
    places: own.flatMap(({ from, places }) => places.map((place) => from + place)),
    links: own.flatMap(({ from, at, links }) =>
      links
        .filter(({ path }) => !opened.some((mount) => contains(mount.at, path)))
        .map(({ path, real }) => ({ at: from + path.slice(at.length), to: real })),
    ),
    mounts: [
      ...(isWhole ? [bind("/", "/", !folded.includes("/"))] : []),
      ...system,
      ...(isWhole
        ? NEVER_SHOWN.filter((path) => isOfKind(path, "folder")).map((path) => bind(sources.empty, path))
        : []),
      { kind: "proc", at: "/proc" },
      { kind: "dev", at: "/dev" },
      ...withFolded(laid, folded),
      ...(hasTools ? [bind(tools, SHIM_FOLDER)] : []),
      ...(resolver === undefined ? [] : [bind(resolver, resolver, false, true)]),
      ...hostPaths.map((path) => bind(path, path, false, true)),
      ...roots.flatMap(({ path, real }) =>
        path === real || shown.some(({ at }) => contains(at, path)) ? [] : [link(real, path)],
      ),
      ...pinned.map((path) => bind(path, path, true)),
      // In a repository that is held in its place.
      ...folded.filter((top) => pinned.some((path) => contains(path, top))).map((top) => bind(top, top)),
      ...guarded.map((path) => bind(path, path, false, true)),
      ...hidden.map(({ path, kind }) => bind(kind === "folder" ? sources.empty : sources.shut, path)),
    ],
  };
}

/** Each goes below what lies in it: over it, it would show again what stays shut, and hide what is the session's own. */
function withFolded(laid: readonly Bind[], folded: readonly string[]): Bind[] {
  const isFolded = ({ from, at }: Bind): boolean => from === at && folded.some((top) => contains(top, at));
  return [
    ...laid.map((mount) => (isFolded(mount) ? { ...mount, write: false } : mount)),
    ...folded.filter((top) => top !== "/").map((top) => bind(top, top)),
  ].toSorted((a, b) => depth(a.at) - depth(b.at));
}

/** Below a folder of the session, what something is mounted on, and all between: outer ones first, as "/a/b". */
function placesIn(
  at: string,
  opened: readonly { readonly at: string }[],
  links: readonly { readonly path: string }[],
): string[] {
  const places = new Set<string>();
  const addAround = (path: string): void => {
    for (let place = dirname(path); place !== at; place = dirname(place)) places.add(place.slice(at.length));
  };
  for (const mount of opened) {
    if (mount.at === at || !contains(at, mount.at)) continue;
    // What is mounted may be a file; its folder is what has to be there.
    addAround(mount.at);
    if (isOfKind(mount.at, "folder")) places.add(mount.at.slice(at.length));
  }
  for (const { path } of links) addAround(path);
  return [...places].toSorted((a, b) => depth(a) - depth(b));
}

/** Links such as /bin -> usr/bin are made anew; with the root "/" they are there already. */
function systemMounts(isWhole: boolean): Mount[] {
  return SYSTEM_FOLDERS.flatMap((path): Mount[] => {
    const found = statOf(path);
    if (found === undefined) return [];
    if (!found.isSymbolicLink()) return found.isDirectory() ? [bind(path, path)] : [];
    return isWhole ? [] : [link(readlinkSync(path), path)];
  });
}

function outermost(hidden: readonly Hidden[]): Hidden[] {
  const byPath = new Map(hidden.map((each) => [each.path, each]));
  return [...byPath.values()]
    .filter(({ path }) => ![...byPath.keys()].some((other) => other !== path && contains(other, path)))
    .filter(({ path, kind }) => isOfKind(path, kind));
}

function isNeverShown(path: string): boolean {
  return ["/proc", "/dev", ...NEVER_SHOWN].some((folder) => contains(folder, path));
}

function isOfKind(path: string, kind: Hidden["kind"]): boolean {
  const found = statOf(path);
  return found !== undefined && !found.isSymbolicLink() && found.isDirectory() === (kind === "folder");
}

function statOf(path: string) {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    // Where we may not look, a command with our rights may not either.
    return undefined;
  }
}

function bind(from: string, at: string, write = false, isOptional = false): Bind {
  return { kind: "bind", from, at, write, isOptional };
}

function link(to: string, at: string): Mount {
  return { kind: "link", to, at };
}

function depth(path: string): number {
  return path === "/" ? 0 : path.split("/").length;
}
