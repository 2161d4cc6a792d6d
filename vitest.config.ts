import { defineConfig } from "vitest/config";

// Shared by every package: `vitest run --config ../../vitest.config.ts --root .`
// The "llmc-source" condition makes a test run on the src of all packages, so nothing has to be built first.
const conditions = ["llmc-source", "node", "import", "default"];

export default defineConfig({
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: ["test/**/*.test.ts"],
    reporters: ["default", "json"],
    outputFile: { json: ".reports/vitest.json" },
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
