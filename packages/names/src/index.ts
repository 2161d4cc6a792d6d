// A path is its bytes, one latin1 character each, because Linux names need not be UTF-8. Globs and ignore rules are
// automata over those bytes: they match in one pass, whatever the pattern, and nothing here looks at a disk.

export type { Bytes } from "./path/bytes.js";
export { type RequestedPath, parseRequestedPath } from "./path/requested-path.js";
export {
  contains,
  join,
  namesOf,
  textOf,
  displayPath,
  folderOf,
  toBytes,
  displayBelow,
  unescapeName,
  normalizePath,
} from "./path/names.js";
export { rulesIn, type CompiledIgnore } from "./ignore/ignore.js";
export { NOTHING_IGNORED, type IgnoreStack } from "./ignore/ignore-stack.js";
export { RuleRoom } from "./ignore/rule-room.js";
export { compileGlob, type Glob } from "./glob/glob.js";
export { pathBytes } from "./path/path-bytes.js";
