/** Redirection that gives the reporting shell the channel on which a sandbox reports. */
export const REPORT_CHANNEL = "4>&3";

const MOST_PROGRAMS = 8;
const MOST_BYTES = 1024;
/** Separators around the report, and before each command line in the report. */
const [EDGE, NEXT] = ["\u001d", "\u001e"];

/**
 * Runs the command, and then writes the command lines of all other processes of the sandbox into descriptor 4, because
 * these processes end with the sandbox. A background job has its shell's name until it executes its program, so the
 * script waits up to a tenth of a second for such jobs. The traps keep the shell alive until the command has handled a
 * signal sent to all processes.
 */
const SCRIPT = `
exec 5>&2 2>/dev/null
trap : TERM INT HUP
"$@" 2>&5 4>&- 5>&-
code=$?
others() {
  count=0
  for each in /proc/[0-9]*; do
    pid=\${each#/proc/}
    [ "$pid" -gt 1 ] && [ "$pid" != $$ ] && read -r name <"$each/comm" || continue
    count=$((count + 1))
    if [ "$1" = look ]; then
      case $name in bash | sh | dash) return 1 ;; esac
    elif [ $count -le ${MOST_PROGRAMS} ]; then
      printf '\\036'
      head -c ${MOST_BYTES} "$each/cmdline"
    fi
  done
}
for try in 1 2 3 4 5; do
  others look && break
  sleep 0.02
done
[ $count -gt 0 ] && { printf '\\035'; others tell; printf '\\035\\n'; } >&4
exit $code
`;

/** Matches a background operator. A quoted & matches too, which costs only one more shell. */
const BACKGROUND = /(?:^|[^&<>|])&(?![&>])/;

/** Tells whether these words start a shell that may leave programs running. */
export function mayLeaveBehind([program = "", option = "", line = ""]: readonly string[]): boolean {
  return /(?:^|\/)(?:ba|da)?sh$/.test(program) && /^-\w*c$/.test(option) && BACKGROUND.test(line);
}

/** Wraps a command in a shell that reports the programs left running. */
export function reportingWords(words: readonly string[]): string[] {
  return ["/bin/sh", "-c", SCRIPT, "sh", ...words];
}

/**
 * Returns the argument lists in a report, without forks of the command's own shell, unless only such forks are left.
 */
export function leftBehind(status: string, shell: readonly string[]): readonly (readonly string[])[] {
  const [, report = ""] = status.split(EDGE);
  const own = shell.join("\0");
  const lines = report.split(NEXT).map((line) => Buffer.from(line, "latin1").toString().replace(/\0$/, ""));
  const programs = lines.filter((line) => line !== "" && !own.startsWith(line));
  const isShellAlone = programs.length === 0 && lines.some((line) => line !== "");
  return (isShellAlone ? [own] : programs).map((line) => line.split("\0"));
}
