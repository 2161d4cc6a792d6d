import { mergeConfig } from "vitest/config";
import shared from "../../vitest.config.js";

// The built executable is what these tests drive.
export default mergeConfig(shared, { test: { globalSetup: ["./test/bundle.ts"] } });
