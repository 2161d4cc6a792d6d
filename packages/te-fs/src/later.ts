import type { Hand } from "./hand.js";
import type { AppliedDiff, ApplyDiffOptions } from "./patch/apply-diff.js";
import type { PatchedFile, PatchFileOptions } from "./patch/patch-file.js";
import type { Transferred, TransferOptions } from "./move/transfer.js";
import type { Removed, RemoveOptions } from "./remove/remove-path.js";

// What many sessions never ask for is loaded at its first call: a start reads every byte that it loads.

export async function patchFile(hand: Hand, path: string, wanted: PatchFileOptions): Promise<PatchedFile> {
  return await (await import("./patch/patch-file.js")).patchFile(hand, path, wanted);
}

export async function applyDiff(hand: Hand, diff: string, wanted: ApplyDiffOptions): Promise<AppliedDiff> {
  return await (await import("./patch/apply-diff.js")).applyDiff(hand, diff, wanted);
}

export async function movePath(
  hand: Hand,
  source: string,
  target: string,
  wanted: TransferOptions,
): Promise<Transferred> {
  return await (await import("./move/transfer.js")).movePath(hand, source, target, wanted);
}

export async function copyPath(
  hand: Hand,
  source: string,
  target: string,
  wanted: TransferOptions,
): Promise<Transferred> {
  return await (await import("./move/transfer.js")).copyPath(hand, source, target, wanted);
}

export async function removePath(hand: Hand, path: string, wanted: RemoveOptions): Promise<Removed> {
  return await (await import("./remove/remove-path.js")).removePath(hand, path, wanted);
}
