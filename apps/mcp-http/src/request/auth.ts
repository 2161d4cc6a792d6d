import { createHash, timingSafeEqual } from "node:crypto";
import { UnauthenticatedRefusal } from "../answer/refusal.js";

export interface AuthRules {
  /** null: everybody on this machine may call. */
  readonly token: string | null;
  readonly header: string;
}

type HeaderOf = (name: string) => string | undefined;

/** Throws an UnauthenticatedRefusal. */
export type Authenticate = (headerOf: HeaderOf) => string;

/** Checks the token, and gives the name under which its calls are counted. */
export function createAuth({ token, header }: AuthRules): Authenticate {
  if (token === null) return () => "local";
  const wanted = digest(token);
  return (headerOf) => {
    const bearer = /^bearer +(\S+) *$/i.exec(headerOf("authorization") ?? "")?.[1];
    const shown = [bearer, headerOf(header)].filter((value) => value !== undefined && value !== "");
    // Digests have one length, and every candidate is compared: time tells nothing about the token.
    const matches = shown.filter((value) => timingSafeEqual(digest(value ?? ""), wanted));
    if (matches.length === 0) throw new UnauthenticatedRefusal(header, shown.length > 0);
    return "default";
  };
}

function digest(value: string): Buffer {
  return createHash("sha256").update(value).digest();
}
