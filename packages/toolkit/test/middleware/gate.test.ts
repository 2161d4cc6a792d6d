import { expect, test } from "vitest";
import { createAccess } from "../../src/index.js";
import { destroys, echo, from, pipeline, toolNamed } from "../fixture.js";

const writer = toolNamed("linux.write", async () => ({ said: "" }), { annotations: destroys, toolset: "compat" });
const settings = { allow: "the allow list", deny: "the deny list", readOnly: "read-only" };
const all = { toolsets: ["fs"], allow: [], deny: [], readOnly: false, enabled: () => true, settings };

test("a closed tool cannot be called and the hint names the setting", async () => {
  const { dispatcher } = pipeline([echo], { deny: ["linux_echo"] });
  await expect(dispatcher.call("linux.echo", {}, from())).rejects.toMatchObject({
    code: "FEATURE_DISABLED",
    hint: "The operator can change tools.deny.",
  });
});

test.for([
  ["a feature flag", { enabled: () => false }, "mcp.on"],
  ["read-only mode", { readOnly: true }, "read-only"],
  ["the deny list, dotted", { deny: ["linux.write"] }, "the deny list"],
  ["an allow list without it", { allow: ["linux_echo"] }, "the allow list"],
  ["nothing", {}, null],
] as const)("%s decides whether a tool is closed", ([, options, setting]) => {
  expect(createAccess({ ...all, ...options }).closedBy(writer)).toBe(setting);
});

test("a toolset that is off is unlisted but open; allow and `all` list it", () => {
  const listed = (options: object) => createAccess({ ...all, ...options }).listed(writer);
  expect([listed({}), listed({ toolsets: ["all"] }), listed({ allow: ["linux.write"] })]).toEqual([false, true, true]);
  expect(createAccess(all).closedBy(writer)).toBeNull();
});
