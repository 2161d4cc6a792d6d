import { Writable } from "node:stream";

/** Event of the protocol stream at its first write. */
export const FIRST_WRITE = "first-write";

/**
 * Takes stdout for the protocol. Whatever else writes to it from now on, `console.log` included, lands on stderr:
 * one stray line would break the client's stream.
 */
export function takeStdout(): Writable {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout) as (chunk: Uint8Array, done: (error?: Error | null) => void) => boolean;
  stdout.write = stderr.write.bind(stderr);
  let isFirst = true;
  const protocol = new Writable({
    decodeStrings: true,
    write: (chunk: Uint8Array, _encoding, done) => {
      write(chunk, done);
      if (isFirst) protocol.emit(FIRST_WRITE);
      isFirst = false;
    },
  });
  stdout.on("error", (error) => protocol.destroy(error));
  return protocol;
}
