// An engine only proposes hits. Either the engine runs in a cell that shows one root, or its hits are read again by
// descriptor. So the same query finds the same lines with ripgrep, grep and the walk, and nothing outside the root.

export { openSearch, type Engines, type Search, type SearchSetup } from "./open-search.js";
export type {
  ContentOptions,
  ContentQuery,
  FoundFile,
  HeldText,
  Hit,
  HitFile,
  SearchOptions,
  TextQuery,
} from "./query/content-query.js";
export type { ContentFound, LeftOut, TextFound } from "./query/content-found.js";
export type { FoundBy, FoundPath, NamesFound, NamesQuery } from "./query/names-query.js";
export type { SearchRoot } from "./search-root/search-root.js";
export { findSearchRoot } from "./search-root/find-search-root.js";
export { best, Best, type Pace } from "./hits/best.js";
export { LIKELY, SURELY } from "./hits/definition-forms.js";
export { definitionIn, READ_LINES } from "./hits/definition-text.js";
export { createHarvest, type Harvest, type HarvestOptions } from "./hits/harvest.js";
export { bareHit, snippetsOf } from "./hits/snippets.js";
export { comparePaths, type FileRank } from "./hits/file-rank.js";
export { pick, type Candidate } from "./hits/pick.js";
export { arrange, type ShownFile } from "./hits/arrange.js";
export { linesNearIn, type Around } from "./hits/near.js";
export { ownLines, shownText, windowOf, type LineRange, type Lines, type Width } from "./hits/lines.js";
export type { FoundName } from "./walk/found-name.js";
export type { NameWalk, WalkedNames } from "./walk/name-walk.js";
export { lookAtNames } from "./walk/look-at-names.js";
export { walkNames } from "./walk/walk-names.js";
export { verifyLines, type ClaimedFile } from "./walk/verify-lines.js";
export { holdRoot } from "./search-root/hold-root.js";
export { lookIntoFiles } from "./walk/look-into-files.js";
export { ignoredFromAbove } from "./walk/ignored-from-above.js";
