import { posix } from "node:path";
import type { Remedy } from "@llmc/errors";
import type { Boundary } from "@llmc/te-path";
import type { Launch, PlainOutput } from "@llmc/te-shell";

export interface FailedCommand {
  readonly launch: Pick<Launch, "facts" | "hides">;
  readonly stdout: PlainOutput;
  readonly stderr: PlainOutput;
  readonly exitCode: number;
  /** Command as the model wrote it. */
  readonly command: string;
  readonly cwd: string;
  readonly boundary: Boundary;
  readonly roots: readonly string[];
}

const LOOKED_AT_BYTES = 16 * 1024;
const MOST_LINES = 200;
const MISSING = /no such file or directory|ENOENT/i;
const REFUSED = /device or resource busy|read-only file system|EBUSY|EROFS/i;
const DOCKER = /docker daemon|docker\.sock|podman\.sock/i;
/** Matches an absolute path up to a blank or a sign that messages put around paths. */
const PATH = /(?<![\w.~/-])\/[^\s'"`‘’:;,()<>|&*$]+/g;

/** Returns the cause of a failure if it lies in the sandbox, because the program cannot know it. */
export function sandboxCause(failed: FailedCommand): Remedy | undefined {
  const { launch, stderr, stdout, exitCode } = failed;
  if (launch.facts.sandbox === "off") return undefined;
  // stdout counts only after a failure, because a successful program may print any words.
  const lines = [stderr, ...(exitCode === 0 ? [] : [stdout])].flatMap(linesOf);
  const about = (words: RegExp): readonly string[] => lines.filter((line) => words.test(line));
  return (
    writeProtected(about(REFUSED), failed) ??
    notVisible(about(MISSING), failed) ??
    (about(DOCKER).length > 0 && /\b(docker|podman)\b/.test(failed.command) ? { id: "no-docker-socket" } : undefined)
  );
}

function linesOf(output: PlainOutput): string[] {
  const [head, tail] = [output.head(), output.tail()];
  const pieces = [head.subarray(0, LOOKED_AT_BYTES), (tail.length === 0 ? head : tail).subarray(-LOOKED_AT_BYTES)];
  return pieces.flatMap((piece) => piece.toString().split("\n").slice(0, MOST_LINES));
}

/** Names the guarded path mentioned in a line, written absolute or relative to the command's folder. */
function writeProtected(lines: readonly string[], { boundary, cwd }: FailedCommand): Remedy | undefined {
  const guarded = [...boundary.guarded.map(({ path }) => path), ...boundary.pinned];
  const seen = (path: string): string => posix.relative(cwd, path);
  const path =
    guarded.find((each) => lines.some((line) => named(line, each))) ??
    guarded.find((each) => lines.some((line) => named(line.replaceAll(/(?<![\w.])\.\//g, ""), seen(each))));
  if (path === undefined) return undefined;
  return { id: "write-protected", path: seen(path).startsWith("..") ? path : seen(path) };
}

/** Tells whether a line has the name as a word or as the beginning of a longer path. */
function named(line: string, name: string): boolean {
  const at = name === "" ? -1 : line.indexOf(name);
  return at >= 0 && !/[\w./-]/.test(line[at - 1] ?? " ") && !/[\w-]/.test(line[at + name.length] ?? " ");
}

/** Names a hidden path without a lookup, so that the answer does not tell whether the path exists. */
function notVisible(lines: readonly string[], { launch, command, roots }: FailedCommand): Remedy | undefined {
  if (lines.length === 0) return undefined;
  const told = lines.flatMap(pathsIn);
  const path = (told.length > 0 ? told : pathsIn(command)).find((each) => launch.hides(each));
  return path === undefined ? undefined : { id: "not-visible", path, roots };
}

function pathsIn(text: string): string[] {
  return Array.from(text.matchAll(PATH), ([path]) => posix.normalize(path).replace(/(?<=.)[/.]+$/, ""));
}
