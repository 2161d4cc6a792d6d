import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { several } from "@llmc/errors";
import { expect, test } from "vitest";
import type { Files } from "../../src/index.js";
import { failure, freshDir, plant, type Failure } from "../../../te-path/test/tree.js";
import { filesIn } from "../files.js";

const ME = { owner: "me", session: "s1" };
const EDITS = [{ oldText: "a", newText: "b" }];

function patched(files: Files, path: string): Promise<Failure> {
  return failure(files.patch(path, { ...ME, edits: EDITS, maxBytes: 1000 }));
}

const WRITE = { id: "write-new-file" };

/** What may have been meant, without the remedy that goes with it anyway. */
async function meant(files: Files, root: string, path: string): Promise<string> {
  const { code, remedy } = await patched(files, path);
  expect(code).toBe("NOT_FOUND");
  if (remedy?.id !== "several") {
    expect([undefined, WRITE]).toContainEqual(remedy);
    return "";
  }
  const [near, ...others] = remedy.of;
  expect([typeof near, others]).toEqual(["string", [WRITE]]);
  return (near as string).replaceAll(root, "R");
}

test.for([
  ["a wrong letter", "src/confg.ts", "Did you mean R/src/config.ts?"],
  ["swapped letters", "src/cofnig.ts", "Did you mean R/src/config.ts?"],
  ["another case of the file", "src/CONFIG.TS", "Did you mean R/src/config.ts?"],
  ["other marks", "src/user_list.ts", "Did you mean R/src/user-list.ts?"],
  ["another extension", "src/config.js", "Did you mean R/src/config.ts?"],
  ["a part of the name", "src/users.ts", "Did you mean R/src/users/ or R/src/user.ts?"],
  ["the beginning of the name", "src/user-li", "Did you mean R/src/user-list.ts or R/src/user.ts?"],
  ["nothing in common but the extension", "src/x.py", ""],
  ["an accent written otherwise", "nai\u0308ve", "Did you mean R/na\u00efve?"],
  ["an accent written otherwise, the other way", "caf\u00e9.md", 'Did you mean "R/cafe\\u0301.md"?'],
  ["nothing like it", "src/zzz.rs", ""],
  ["a link to nothing", "dangling", "R/dangling is a link to what does not exist."],
  ["behind a link to a folder", "link/confg.ts", "Did you mean R/link/config.ts?"],
  ["a name that has to be quoted", "two wrds", 'Did you mean "R/two words"?'],
  ["a byte that is no UTF-8", "caf\\xe", "Did you mean R/caf\\xe9?"],
])("%s", async ([, path, hint]) => {
  const root = plant(freshDir(), {
    "src/config.ts": "a",
    "src/user-list.ts": "",
    "src/app.py": "",
    "src/users/x": "",
    "src/user.ts": "",
    "two words": "",
    "na\u00efve": "",
    "cafe\u0301.md": "",
    dangling: { to: "nowhere" },
    link: { to: "src" },
  });
  writeFileSync(Buffer.from(`${root}/caf\xe9`, "latin1"), "");
  expect(await meant(filesIn(root), root, path as string)).toBe(hint);
});

test("each change that has a way to go on names the nearest before it", async () => {
  const root = plant(freshDir(), { "src/f": "a" });
  const files = filesIn(root);
  const near = `Did you mean ${root}/src/?`;
  const hints = [
    await failure(files.write("srv/f", Buffer.from("x"), { ...ME, mode: "rewrite" })),
    await failure(files.write("SRC/f", Buffer.from("x"), { ...ME, mode: "rewrite" })),
    await failure(files.write("docs/new/f", Buffer.from("x"), { ...ME, mode: "rewrite" })),
    await failure(files.move("src/f", "scr/g", ME)),
    await failure(files.copy("src/f", "scr/g", ME)),
    await failure(files.applyDiff("--- a/srcs/f\n+++ b/srcs/f\n@@ -1 +1 @@\n-a\n+b\n", { ...ME, maxBytes: 1000 })),
  ].map(({ code, hint, remedy }) => [code, hint ?? remedy]);
  expect(hints).toEqual([
    ["NOT_FOUND", several(near, { id: "create-parents" })],
    ["NOT_FOUND", several(near, { id: "create-parents" })],
    ["NOT_FOUND", several(`The nearest folder that exists is ${root}.`, { id: "create-parents" })],
    ["NOT_FOUND", several(near, { id: "create-target-folder" })],
    ["NOT_FOUND", several(near, { id: "create-target-folder" })],
    ["NOT_FOUND", `${near} Correct the path; for a new file write \`--- /dev/null\` or *** Add File.`],
  ]);
});

test("what is closed is never named, and nothing outside the roots is looked at", async () => {
  const base = plant(freshDir(), { "home/.ssh/key": "", "home/.sshx": "", "home/data/db": "", "home/dato": "" });
  const home = join(base, "home");
  const files = filesIn(home, { home, homes: [], deny: [".ssh"], privatePaths: [join(home, "data")] });
  expect(await meant(files, home, ".sshy")).toBe("Did you mean R/.sshx?");
  expect(await meant(files, home, "dat")).toBe("Did you mean R/dato?");
  mkdirSync(join(base, "beside"));
  const [there, not] = [await patched(files, "../beside/x"), await patched(files, "../besides/x")];
  expect([there.code, there.remedy]).toEqual(["INVALID_PATH", { id: "inside-roots", roots: [home] }]);
  expect([not.hint, not.remedy]).toEqual([undefined, there.remedy]);
  symlinkSync("../beside", join(home, "out"));
  expect(await patched(files, "out/x")).toMatchObject({ hint: undefined, remedy: there.remedy });
});

test("of very many names that are alike three are named", async () => {
  const root = freshDir();
  mkdirSync(join(root, "many"));
  for (let at = 0; at < 5000; at++) writeFileSync(join(root, "many", `${"n".repeat(180)}${at}`), "");
  const files = filesIn(root);
  const hint = await meant(files, root, `many/${"n".repeat(180)}x`);
  expect(hint.split("many/").length - 1).toBe(3);
});

test("a path of very many missing folders is not looked at from each of them", async () => {
  const root = freshDir();
  expect(await meant(filesIn(root), root, `${"y/".repeat(1500)}z`)).toBe("");
});
