import { EngineUnavailableError } from "@llmc/errors";

/** A store of records, opened at first need and again where that failed. */
export interface KeptStore<Kept> {
  open(): Promise<Kept>;
  /** At a crash nothing can be opened any more: throws if the store is not open. */
  opened(): Kept;
}

export function createKeptStore<Kept>(open: () => Promise<Kept>): KeptStore<Kept> {
  let opening: Promise<Kept> | undefined;
  let opened: Kept | undefined;

  async function openOnce(): Promise<Kept> {
    opening ??= open();
    try {
      opened = await opening;
      return opened;
    } catch (thrown) {
      opening = undefined;
      throw thrown;
    }
  }

  return {
    open: openOnce,
    opened() {
      if (opened === undefined) throw new EngineUnavailableError("The audit database", "it was not open yet", "");
      return opened;
    },
  };
}
