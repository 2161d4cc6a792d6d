import { Writable } from "node:stream";

/**
 * Takes stdout for the protocol. Whatever else writes to it from now on, `console.log` included, lands on stderr:
 * one stray line would break the client's stream.
 */
export function takeStdout(): Writable {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout) as (chunk: Uint8Array, done: (error?: Error | null) => void) => boolean;
  stdout.write = stderr.write.bind(stderr);
  const protocol = new Writable({
    decodeStrings: true,
    write: (chunk: Uint8Array, _encoding, done) => void write(chunk, done),
  });
  stdout.on("error", (error) => protocol.destroy(error));
  return protocol;
}
