/** An argument of ours and what other servers and editors call it. */
interface Habit {
  readonly argument: string;
  /** How it is told, where its bare name would not do. */
  readonly say?: string;
  /** Letters and digits alone: `filePath`, `file_path` and `file-path` are one habit. */
  readonly names: readonly string[];
}

/**
 * Models bring these names along. They stay unknown here, so that a schema means what it says, but the answer names what
 * was meant. Of several rows the first whose argument the tool has counts.
 */
const HABITS: readonly Habit[] = [
  row("path", "file filepath filename pathname absolutepath fullpath targetfile uri url"),
  row("path", "dir dirpath directory directorypath folder folderpath"),
  row("paths", "files filepaths filenames path"),
  row("root", "path dir directory folder searchpath workdir workingdirectory basepath repo"),
  row("proc_id", "pid id sessionid processid session handle"),
  row("input", "text data stdin line content command"),
  row("timeout_ms", "timeout wait waitms timeoutms"),
  row("wait_ms", "timeout timeoutms wait"),
  row("signal", "sig signame"),
  row("pty", "tty terminal interactive"),
  row("command", "cmd commandline program argv"),
  row("cwd", "dir directory folder root workdir workingdirectory basepath"),
  row("source", "from src sourcepath oldpath"),
  row("target", "to dest dst destination destinationpath targetpath newpath"),
  row("content", "text contents filetext data body newcontent"),
  row("mode", "append", 'mode: "append"'),
  row("old_text", "old oldstr oldstring search find"),
  row("new_text", "new newstr newstring replace replacement replacewith"),
  row("expected_replacements", "replaceall count occurrences"),
  row("diff_text", "diff patch patchtext input"),
  row("diff", "difftext patch patchtext"),
  row("pattern", "query regex regexp searchpattern search q"),
  row("file_glob", "glob pattern include includes filter filepattern"),
  row("max_lines", "limit length maxlength head lines linecount numlines count"),
  row("max_entries", "limit maxresults count"),
  row("max_results", "limit headlimit maxcount count"),
  row("limit", "length maxlength bytes size maxbytes"),
  row("max_bytes", "limit bytes size"),
  row("offset_lines", "offset skip start"),
  row("offset", "start position offsetbytes"),
  row("tail_lines", "tail last"),
  // Others count lines from 1: only this form says so itself.
  row("offset_lines", "startline endline linestart lineend viewrange linerange range", 'path: "FILE#L10-L20"'),
  row("depth", "recursive maxdepth levels"),
  row("overwrite", "force replace"),
  row("include_hidden", "hidden all showhidden includedotfiles"),
  row("respect_gitignore", "gitignore"),
  row("create_parents", "createdirs createdirectories createparentdirs makedirs mkdir mkdirs parents"),
  row("expected_sha256", "sha256 hash checksum etag"),
  row("handle", "handleid uri id"),
  row("id", "undoid changeid handle undo"),
  row("ignore_case", "caseinsensitive i"),
  row("context_lines", "context c"),
  row("literal", "fixedstrings fixedstring"),
];

/** Tools of other servers, and which of ours does the same. */
const TOOLS: Readonly<Record<string, string>> = {
  readtextfile: "linux.fs_read",
  readmultiplefiles: "linux.fs_read",
  view: "linux.fs_read",
  listdirectory: "linux.fs_list",
  directorytree: "linux.fs_list",
  writefile: "linux.fs_write",
  createfile: "linux.fs_write",
  createdirectory: "linux.fs_mkdirs",
  movefile: "linux.fs_move",
  copyfile: "linux.fs_move",
  deletefile: "linux.fs_delete",
  editfile: "linux.fs_patch_block",
  editblock: "linux.fs_patch_block",
  strreplaceeditor: "linux.fs_patch_block",
  applypatch: "linux.fs_apply_diff",
  getfileinfo: "stat",
  grep: "linux.search_content",
  glob: "linux.search_files",
  listprocesses: "linux.proc_list",
  killprocess: "linux.proc_kill",
  startprocess: "linux.proc_start",
  interactwithprocess: "linux.proc_send",
  sendinput: "linux.proc_send",
  readprocessoutput: "linux.proc_read",
  forceterminate: "linux.proc_stop",
  listsessions: "linux.proc_sessions",
};

/** What an argument that a tool does not have most likely stands for, as it is told. */
export function meantArgument(given: string, known: readonly string[]): string | undefined {
  const name = plain(given);
  const habit = HABITS.find(({ argument, names }) => names.includes(name) && known.includes(argument));
  return known.find((argument) => plain(argument) === name) ?? habit?.say ?? habit?.argument;
}

/** The tool that a name from another server stands for. */
export function meantTool(given: string, known: readonly string[]): string | undefined {
  const name = plain(given);
  const meant = Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined;
  return meant !== undefined && known.includes(meant) ? meant : undefined;
}

function plain(name: string): string {
  return name
    .slice(0, 100)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, "");
}

function row(argument: string, names: string, say?: string): Habit {
  return { argument, names: names.split(" "), ...(say === undefined ? {} : { say }) };
}
