import type { Audit } from "@llmc/audit";
import type { HealthReport } from "../context/shared-services.js";
import { commandsOff } from "./commands-off.js";
import type { OpenModules } from "./open-modules.js";
import type { OpenShared } from "./open-shared.js";

export interface HealthSources {
  readonly version: string;
  readonly shared: OpenShared;
  readonly modules: () => OpenModules;
  readonly audit: Audit;
  /** True if a client can call a tool that runs commands. */
  readonly offersCommands: boolean;
  /** Problems reported since the start. */
  readonly problems: readonly string[];
}

/** Looks up the facts at each call, because no fact is worth a millisecond of the start. */
export function healthReport({
  version,
  shared,
  modules,
  audit,
  offersCommands,
  problems,
}: HealthSources): () => Promise<HealthReport> {
  const startedAt = performance.now();
  return async () => {
    const [database, facts, sandbox] = await Promise.all([
      shared.state.database(),
      modules().health(),
      shared.commands().then((opened) => opened.sandbox()),
    ]);
    const off = offersCommands ? commandsOff(sandbox) : undefined;
    return {
      version,
      driver: database.kind,
      engines: facts.parts,
      sandbox: sandbox.why === undefined ? sandbox.kind : `${sandbox.kind}: ${sandbox.why}`,
      uptimeSec: Math.floor((performance.now() - startedAt) / 1000),
      roots: shared.files.roots.map((root) => root.path),
      problems: [...problems, ...audit.problems(), ...facts.problems, ...(off === undefined ? [] : [off])],
    };
  };
}
