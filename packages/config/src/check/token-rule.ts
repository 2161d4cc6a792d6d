export const TOKEN_RULE = "a token needs 16 to 4096 printable ASCII characters without spaces";

/** Short ones can be guessed; others do not survive a header. */
export function isUsableToken(token: string): boolean {
  return /^[\x21-\x7e]{16,4096}$/.test(token);
}
