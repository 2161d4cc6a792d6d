import { expect, test } from "vitest";
import { whyMissing } from "../../../te-run/src/cell/why-missing.js";
import { noBox } from "../../src/sandbox/find-box.js";

interface Machine {
  /** What bwrap or unshare printed there. */
  readonly printed: string;
  /** Below /proc/sys. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly isContainer?: boolean;
  readonly isRoot?: boolean;
}

const NO_PERMISSION = "bwrap: No permissions to create new namespace, likely because the kernel does not allow it.";
const UID_MAP = "bwrap: setting up uid map: Permission denied";
const ON = { "user/max_user_namespaces": "63432" };

/** What each of them printed, as those who met it have reported. */
const MACHINES: Readonly<Record<string, readonly [Machine, missing: RegExp, hint: RegExp]>> = {
  "Ubuntu 24.04": [
    { printed: UID_MAP, settings: { ...ON, "kernel/apparmor_restrict_unprivileged_userns": "1" } },
    /AppArmor.*apparmor_restrict_unprivileged_userns = 1/,
    /profile bwrap \/usr\/bin\/bwrap .*userns,.*apparmor_parser -r/,
  ],
  "Ubuntu 24.04, where the network is what fails": [
    {
      printed: "bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted\n",
      settings: { ...ON, "kernel/apparmor_restrict_unprivileged_userns": "1" },
    },
    /AppArmor/,
    /apparmor\.d\/bwrap/,
  ],
  "an old Debian": [
    { printed: NO_PERMISSION, settings: { ...ON, "kernel/unprivileged_userns_clone": "0" } },
    /switched off \(kernel\.unprivileged_userns_clone = 0\)/,
    /Set that sysctl/,
  ],
  "an old Red Hat, or a hardened machine": [
    {
      printed: "bwrap: Creating new namespace failed: No space left on device",
      settings: { "user/max_user_namespaces": "0" },
    },
    /switched off \(user\.max_user_namespaces = 0\)/,
    /Set that sysctl/,
  ],
  "Docker as it comes": [
    { printed: "bwrap: Creating new namespace failed: Operation not permitted", settings: ON, isContainer: true },
    /^this container does not allow user namespaces$/,
    /^Start it with --security-opt seccomp=unconfined .*systempaths=unconfined$/,
  ],
  "Docker as it comes, for root": [
    {
      printed: "bwrap: Creating new namespace failed: Operation not permitted",
      settings: ON,
      isContainer: true,
      isRoot: true,
    },
    /^this container does not allow namespaces$/,
    /^Start it with --cap-add SYS_ADMIN --security-opt apparmor=unconfined$/,
  ],
  "a container whose system paths are covered": [
    { printed: "bwrap: Can't mount proc on /newroot/proc: Operation not permitted", settings: ON },
    /Can't mount proc/,
    /systempaths=unconfined/,
  ],
  "a machine where unshare is refused": [
    { printed: "unshare: unshare failed: Operation not permitted", settings: { "user/max_user_namespaces": "0" } },
    /switched off/,
    /Set that sysctl/,
  ],
  "one that nobody has met": [
    { printed: "bwrap: \u001b[31mUnknown option --json-status-fd\nmore", settings: ON },
    /^bubblewrap does not start: .*Unknown option --json-status-fd$/,
    /user namespaces here/,
  ],
  "one where it says nothing": [{ printed: "" }, /^bubblewrap does not start$/, /user namespaces here/],
};

test.each(Object.entries(MACHINES))("%s: the cause, and what lifts it", async (_, [machine, missing, hint]) => {
  const { printed, settings = {}, isContainer = false, isRoot = false } = machine;

  const why = await whyMissing(printed, async (name) => settings[name] ?? "");
  const refused = await noBox(why, async () => isContainer, isRoot);

  expect(refused.missing).toMatch(missing);
  expect(refused.missing).not.toMatch(/\p{C}/u);
  expect(refused.hint).toEqual({
    id: "commands-off",
    why: refused.missing,
    fix: expect.stringMatching(hint),
  });
});

test.each(["bubblewrap (bwrap) is not installed", "neither bubblewrap (bwrap) nor util-linux (unshare) is installed"])(
  "%s: what to install",
  async (missing) =>
    expect((await noBox(missing, async () => true)).hint).toMatchObject({
      fix: expect.stringMatching(/apt.*install bubblewrap/),
    }),
);
