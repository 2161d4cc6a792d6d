import { expect, test } from "vitest";
import * as api from "../src/index.js";

test("the entry exports these names and no others", () => {
  expect(Object.keys(api).toSorted()).toEqual([
    "AlreadyExistsError",
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
    "PatchCountMismatchError",
    "PatchFailedError",
    "PermissionDeniedError",
    "RateLimitedError",
    "ShaMismatchError",
    "StaleFileError",
    "TimeoutError",
    "UnknownToolError",
    "UnsupportedContentError",
    "WriteFailedError",
  ]);
});
