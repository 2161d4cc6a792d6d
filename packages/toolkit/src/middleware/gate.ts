import { FeatureDisabledError } from "@llmc/errors";
import type { Access } from "../tool/access.js";
import type { Middleware } from "../call/dispatch.js";

/** What the operator closed cannot be called, listed or not. */
export function gate(access: Access): Middleware {
  return (call, next) => {
    const setting = call.tool === undefined ? null : access.closedBy(call.tool);
    if (setting !== null) throw new FeatureDisabledError(call.tool?.name ?? call.name, setting);
    return next();
  };
}
