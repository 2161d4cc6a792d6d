import { InvalidArgumentError } from "@llmc/errors";

/** What systemd allows in a name; the last part says what kind of unit it is. */
const NAME = /^[A-Za-z0-9:_.\\@-]{1,255}$/;
const TYPES = /\.(service|socket|timer|target|mount|automount|path|slice|scope|swap|device)$/;

/** "nginx" is nginx.service. Nothing that could be an option, a pattern or a path gets through. */
export function unitName(given: string): string {
  if (!NAME.test(given) || given.startsWith("-") || given.includes("..") || given.startsWith("."))
    throw new InvalidArgumentError(
      `${JSON.stringify(given.slice(0, 100))} is not a valid name of a unit`,
      'A name has letters, digits and : _ . @ - only, such as "nginx" or "nginx.service".',
    );
  return TYPES.test(given) ? given : `${given}.service`;
}
