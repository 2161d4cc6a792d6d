import { expect, test } from "vitest";
import * as api from "../src/index.js";

test("the entry exports these names and no others", () => {
  expect(Object.keys(api).toSorted()).toEqual([
    "CODES",
    "CancelledError",
    "ConfirmationError",
    "EngineUnavailableError",
    "FeatureDisabledError",
    "HandleExpiredError",
    "HandleNotFoundError",
    "InternalError",
    "InvalidArgumentError",
    "InvalidPathError",
    "IsDirectoryError",
    "LinkOutsideError",
    "MountTimeoutError",
    "NoRootsError",
    "NotADirectoryError",
    "NotFoundError",
    "OpsError",
    "OutputTooLargeError",
    "OutsideRootsError",
    "PatchFailedError",
    "PermissionDeniedError",
    "RateLimitedError",
    "TimeoutError",
    "UnknownToolError",
    "UnsupportedContentError",
    "WriteFailedError",
  ]);
});
