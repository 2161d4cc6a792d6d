import type { OpenScope } from "@llmc/te-path";
import type { Undo } from "@llmc/te-undo";
import type { Usage, UsageOptions } from "./list/measure-usage.js";
import type { StaleGuard } from "./stale/stale-guard.js";
import type { AppliedDiff, ApplyDiffOptions } from "./patch/apply-diff.js";
import type { PatchedFile, PatchFileOptions } from "./patch/patch-file.js";
import type { Transferred, TransferOptions } from "./move/transfer.js";
import type { Removed, RemoveOptions } from "./remove/remove-path.js";

// What many sessions never ask for is loaded at its first call: a start reads every byte that it loads.

export async function patchFile(
  undo: Undo,
  guard: StaleGuard,
  path: string,
  wanted: PatchFileOptions,
): Promise<PatchedFile> {
  return await (await import("./patch/patch-file.js")).patchFile(undo, guard, path, wanted);
}

export async function applyDiff(
  undo: Undo,
  guard: StaleGuard,
  diff: string,
  wanted: ApplyDiffOptions,
): Promise<AppliedDiff> {
  return await (await import("./patch/apply-diff.js")).applyDiff(undo, guard, diff, wanted);
}

export async function transferPaths(
  undo: Undo,
  guard: StaleGuard,
  sources: readonly string[],
  target: string,
  wanted: TransferOptions & { readonly copy: boolean },
): Promise<Transferred> {
  return await (await import("./move/transfer.js")).transferPaths(undo, guard, sources, target, wanted);
}

export async function removePaths(
  undo: Undo,
  guard: StaleGuard,
  paths: readonly string[],
  wanted: RemoveOptions,
): Promise<Removed> {
  return await (await import("./remove/remove-path.js")).removePaths(undo, guard, paths, wanted);
}

export async function measureUsage(scope: OpenScope, path: string, wanted: UsageOptions): Promise<Usage> {
  return await (await import("./list/measure-usage.js")).measureUsage(scope, path, wanted);
}
