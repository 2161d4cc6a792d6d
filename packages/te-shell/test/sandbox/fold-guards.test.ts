import fc from "fast-check";
import { expect, test } from "vitest";
import { foldGuards } from "../../src/sandbox/fold-guards.js";

/** As many repositories, each with what is guarded in it. */
function repositories(folder: string, count: number) {
  const all = Array.from({ length: count }, (_, at) => `${folder}/r${at}/.git`);
  return { guarded: all.flatMap((git) => [`${git}/hooks`, `${git}/config`]), pinned: all };
}

function together(...all: { guarded: string[]; pinned: string[] }[]) {
  return { guarded: all.flatMap(({ guarded }) => guarded), pinned: all.flatMap(({ pinned }) => pinned) };
}

test("what can be guarded one by one is", () => {
  const some = repositories("/home/me", 100);
  expect(foldGuards(some, "/home/me/r1", ["/home/me"])).toEqual({ ...some, folded: [] });
});

test("of too many the fullest folder away from the command's becomes read-only as a whole", () => {
  const near = repositories("/home/me/work", 10);
  const some = repositories("/home/me/some", 40);
  const all = together(near, repositories("/home/me/old/deep", 70), some);
  const folded = foldGuards(all, "/home/me/work/r1", ["/home/me"]);
  expect(folded.folded).toEqual(["/home/me/old"]);
  expect(folded).toEqual({
    guarded: [...near.guarded, ...some.guarded],
    pinned: [...near.pinned, ...some.pinned],
    folded: ["/home/me/old"],
  });
});

test("another root goes before folders of the command's own", () => {
  const all = together(repositories("/work/a", 60), repositories("/srv", 60));
  expect(foldGuards(all, "/work", ["/work", "/srv"]).folded).toEqual(["/srv"]);
});

test("its own folders go last, and its own repository stays as it is", () => {
  const own = { guarded: ["/w/.git/hooks", "/w/.git/config"], pinned: ["/w/.git"] };
  const folded = foldGuards(together(own, repositories("/w/a", 60), repositories("/w/b", 60)), "/w", ["/w"]);
  expect(folded.folded).toEqual(["/w/a"]);
  expect(folded.guarded).toContain("/w/.git/config");
  expect(folded.pinned).toContain("/w/.git");
});

test("where even that leaves too many nothing can be written", () => {
  const many = repositories("/w", 1000);
  expect(foldGuards(many, "/w", ["/w", "/srv"])).toEqual({
    guarded: [],
    pinned: [],
    folded: ["/w", "/srv"],
  });
});

test("a root around the command's is not folded with it", () => {
  const all = together(repositories("/w/many", 120), repositories("/w/own", 10));
  expect(foldGuards(all, "/w/own", ["/w", "/w/own"]).folded).toEqual(["/w/many"]);
  expect(foldGuards(all, "/w/own", ["/", "/w/own"]).folded).toEqual(["/w/many"]);
});

test("of its own repository only the submodules", () => {
  const modules = Array.from({ length: 301 }, (_, at) => `/w/.git/modules/m${at}/config`);
  expect(foldGuards({ guarded: ["/w/.git/config", ...modules], pinned: ["/w/.git"] }, "/w/src", ["/w"])).toEqual({
    guarded: ["/w/.git/config"],
    pinned: ["/w/.git"],
    folded: ["/w/.git/modules"],
  });
});

test("whatever there is stays guarded, by few mounts, and the command's folder is not folded for others", () => {
  const name = fc.constantFrom("a", "b", "c", "d");
  const folder = fc.array(name, { maxLength: 4 }).map((names) => ["/w", ...names].join("/"));
  fc.assert(
    fc.property(fc.array(fc.tuple(folder, fc.nat(40)), { maxLength: 12 }), folder, (places, cwd) => {
      const all = together(...places.map(([at, count], index) => repositories(`${at}/x${index}`, count)));
      const { guarded, pinned, folded } = foldGuards(all, cwd, ["/w"]);
      const covered = (path: string) =>
        [...guarded, ...folded].some((each) => path === each || path.startsWith(`${each}/`));
      expect(all.guarded.filter((path) => !covered(path))).toEqual([]);
      expect(all.pinned.filter((path) => !pinned.includes(path) && !covered(path))).toEqual([]);
      expect(guarded.length + pinned.length + folded.length).toBeLessThanOrEqual(300);
      if (folded[0] !== "/w") expect(folded.some((top) => cwd === top || cwd.startsWith(`${top}/`))).toBe(false);
    }),
  );
});
