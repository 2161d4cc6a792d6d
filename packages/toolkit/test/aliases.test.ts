import { expect, test } from "vitest";
import { pipeline, from, toolNamed } from "./fixture.js";

test.for([
  ["read_multiple_files", "linux.fs_read"],
  ["editBlock", "linux.fs_patch_block"],
  ["toString", undefined],
  ["__proto__", undefined],
  // What it stands for is not among the tools.
  ["write_file", undefined],
] as const)("%s of another server means %s", async ([name, meant]) => {
  const tools = ["linux.fs_read", "linux.fs_patch_block"].map((each) => toolNamed(each, async () => ({ said: "" })));
  await expect(pipeline(tools).dispatcher.call(name, {}, from())).rejects.toMatchObject({
    ...(meant === undefined
      ? { hint: "See the list of tools.", remedy: undefined }
      : { hint: undefined, remedy: { id: "use-tool", tool: meant } }),
  });
});
