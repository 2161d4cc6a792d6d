import { fsApplyDiff } from "../tools/fs/apply-diff.js";
import { fsDelete } from "../tools/fs/delete.js";
import { fsList } from "../tools/fs/list.js";
import { fsMkdirs } from "../tools/fs/mkdirs.js";
import { fsMove } from "../tools/fs/move.js";
import { fsPatchBlock } from "../tools/fs/patch-block.js";
import { fsRead } from "../tools/fs/read.js";
import { fsUndo } from "../tools/fs/undo.js";
import { fsWrite } from "../tools/fs/write.js";
import { searchContent } from "../tools/search/content.js";
import { searchFiles } from "../tools/search/files.js";
import { procKill } from "../tools/proc/kill.js";
import { procList } from "../tools/proc/list.js";
import { procRead } from "../tools/proc/read.js";
import { procSend } from "../tools/proc/send.js";
import { procSessions } from "../tools/proc/sessions.js";
import { procStart } from "../tools/proc/start.js";
import { procStop } from "../tools/proc/stop.js";
import { procTree } from "../tools/proc/tree.js";
import { handleRead } from "../tools/handle/read.js";
import { listDir } from "../tools/compat/list-dir.js";
import { readFile } from "../tools/compat/read-file.js";
import { repoRead } from "../tools/compat/repo-read.js";
import { repoWritePatch } from "../tools/compat/repo-write-patch.js";
import { execCli } from "../tools/command/exec-cli.js";
import { runCmd } from "../tools/command/run-cmd.js";
import { stat } from "../tools/compat/stat.js";
import { sysInfo } from "../tools/sys/sys-info.js";
import { sysLogs } from "../tools/sys/logs.js";
import { sysServices } from "../tools/sys/services.js";
import { sysSnapshot } from "../tools/sys/snapshot.js";
import { health } from "../tools/compat/health.js";

/** Every tool, in the order in which listings and docs show them. */
export const linuxTools = [
  fsRead,
  fsList,
  fsWrite,
  fsMkdirs,
  fsMove,
  fsDelete,
  fsPatchBlock,
  fsApplyDiff,
  fsUndo,
  searchContent,
  searchFiles,
  procList,
  procTree,
  procKill,
  procStart,
  procSend,
  procRead,
  procStop,
  procSessions,
  sysSnapshot,
  runCmd,
  sysServices,
  sysLogs,
  handleRead,
  readFile,
  listDir,
  stat,
  repoRead,
  repoWritePatch,
  sysInfo,
  execCli,
  health,
] as const;

export type LinuxTool = (typeof linuxTools)[number];
export type LinuxToolName = LinuxTool["name"];
