import { expect, test } from "vitest";
import { place } from "./boxes.js";

const OFF = { sandbox: "off", lists: { allowUnsafe: true } } as const;

test.each([
  ["cd shop", { folder: "shop" }],
  ["cd ./a/../b", { folder: "b" }],
  ["cd .", { folder: "." }],
  ["pushd shop", { folder: "shop" }],
  ["cd", {}],
  ["cd -", {}],
  ["cd /etc", {}],
  ["cd ~/x", {}],
  ["cd $OLDPWD", {}],
  ["export X=5 Y='a b'", { variables: { X: "5", Y: "a b" } }],
  ["export X", {}],
  ["export PYTHONPATH=src", {}],
  ["export PATH=$PATH:bin", {}],
  ["source venv/bin/activate", {}],
  [". ./env.sh", {}],
  ["alias ll='ls -l'", {}],
])("%s alone runs nothing, and says what the next command needs", async (line, facts) => {
  const missing = line.split(" ")[0];
  expect(await place(OFF).prepare(line)).toEqual({
    missing,
    isBuiltin: true,
    hint: { id: "does-not-last", builtin: missing, line, ...facts },
  });
});

test("the folder is taken from the command's own folder, and told relative to the first root", async () => {
  const here = place({
    ...OFF,
    roots: () => ["/usr", "/opt"].map((path) => ({ path, real: path })),
  });
  const folder = async (line: string) => await here.prepare(line, { cwd: "/usr/share" });
  expect(await folder("cd doc")).toMatchObject({ hint: { folder: "share/doc" } });
  expect(await folder("cd /usr")).toMatchObject({ hint: { folder: "." } });
  expect(await folder("cd /opt/x")).toMatchObject({ hint: { folder: "/opt/x" } });
  expect(await folder("cd /srv")).not.toHaveProperty("hint.folder");
});

test.each(["cd shop && ls", "export X=5; echo $X", "source ~/setup.sh", "cd x || true", "echo cd"])(
  "%s is a command like any other",
  async (line) => {
    const lists = { allowUnsafe: true, commands: ["bash", "echo"] };
    const launch = await place({ sandbox: "off", lists }).prepare(line);
    expect(launch).not.toHaveProperty("missing");
    if (!("missing" in launch)) await launch.release();
  },
);
