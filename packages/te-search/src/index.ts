export { openSearch } from "./open-search.js";
export type { Engines, Search, SearchSetup } from "./open-search.js";
export type { ContentOptions, ContentQuery, FoundFile, Hit, HitFile, SearchOptions } from "./content-query.js";
export type { ContentFound, LeftOut } from "./content-found.js";
export type { FoundBy, FoundPath, NamesFound, NamesQuery } from "./names/names-query.js";
export type { Ground } from "@llmc/te-fs";
