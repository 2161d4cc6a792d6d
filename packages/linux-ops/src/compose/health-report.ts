import type { Search } from "@llmc/te-search";
import { findProgram } from "@llmc/te-run";
import type { Commands } from "@llmc/te-shell";
import type { HealthReport } from "../context/context.js";
import type { Readers } from "../context/readers.js";
import type { State } from "./state.js";

export interface HealthSources {
  readonly version: string;
  readonly state: State;
  readonly roots: readonly string[];
  readonly readers: Readers;
  readonly search: () => Promise<Search>;
  readonly commands: () => Promise<Commands>;
  readonly problems: () => readonly string[];
}

/** Facts are looked up when somebody asks: none of them is worth a millisecond of the start. */
export function healthReport({
  version,
  state,
  roots,
  readers,
  search,
  commands,
  problems,
}: HealthSources): () => Promise<HealthReport> {
  const startedAt = performance.now();
  return async () => {
    const [database, found, sandbox] = await Promise.all([
      state.database(),
      search().then((opened) => opened.engines()),
      commands().then((opened) => opened.sandbox()),
    ]);
    const engines: HealthReport["engines"] = {
      content: found.content,
      names: found.names,
      search_in: found.why === undefined ? found.held : `${found.held}: ${found.why}`,
      bwrap: await findProgram("bwrap"),
      pdftotext: await readers.pdftotext(),
      sharp: (await readers.scaler())?.version ?? null,
    };
    return {
      version,
      driver: database.kind,
      engines,
      sandbox: sandbox.why === undefined ? sandbox.kind : `${sandbox.kind}: ${sandbox.why}`,
      uptimeSec: Math.floor((performance.now() - startedAt) / 1000),
      roots,
      problems: problems(),
    };
  };
}
