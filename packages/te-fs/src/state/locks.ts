/** One writer at a time for each place, in this process and among all that share the state folder. */
export interface Locks {
  /** `key` names the place: device and inode of its folder, and the name. Waits until nobody else has it. */
  hold(key: string, options: { shown: string; signal?: AbortSignal | undefined }): Promise<AsyncDisposable>;
}
