/** Redirection that gives the reporting shell the channel on which a sandbox reports. */
export const REPORT_CHANNEL = "4>&3";

const MOST_PROGRAMS = 8;
const MOST_BYTES = 1024;
/** Stands around the report, and before each command line in it. */
const [EDGE, NEXT] = ["\u001d", "\u001e"];

/**
 * Waits for the command, and then writes the command lines of all other processes of the sandbox into descriptor 4: they
 * end with the sandbox. A background job bears its shell's name until it executes its program, so such a one is looked at
 * again for a tenth of a second. The traps keep the shell alive until the command has obeyed a signal to all.
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

/** A background operator, or what may be one: a quoted one costs a shell around the command and nothing else. */
const BACKGROUND = /(?:^|[^&<>|])&(?![&>])/;

/** Whether these are the words of a shell that may leave programs running. */
export function mayLeaveBehind([program = "", option = "", line = ""]: readonly string[]): boolean {
  return /(?:^|\/)(?:ba|da)?sh$/.test(program) && /^-\w*c$/.test(option) && BACKGROUND.test(line);
}

/** The words of a shell that runs the command and reports the programs that the command leaves running. */
export function reportingWords(words: readonly string[]): string[] {
  return ["/bin/sh", "-c", SCRIPT, "sh", ...words];
}

/** The argument lists in a report, without the processes of the command's own shell, which have executed nothing. */
export function leftBehind(status: string, shell: readonly string[]): readonly (readonly string[])[] {
  const [, report = ""] = status.split(EDGE);
  const own = shell.join("\0");
  const lines = report.split(NEXT).map((line) => Buffer.from(line, "latin1").toString().replace(/\0$/, ""));
  const programs = lines.filter((line) => line !== "" && !own.startsWith(line));
  const isShellAlone = programs.length === 0 && lines.some((line) => line !== "");
  return (isShellAlone ? [own] : programs).map((line) => line.split("\0"));
}
