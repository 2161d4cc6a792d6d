import { OWNER, makeFolder, openDesk, rewrite } from "../acts.js";

// Begins a change and never ends it.
const [base = ""] = process.argv.slice(2);
const desk = openDesk(base);
const change = desk.journal.begin({ ...OWNER, session: "theirs", kind: "diff", paths: ["a"] });
await desk.run(rewrite(desk, change, "a", "half done"));
await desk.run(makeFolder(desk, change, "new"));
process.stdout.write("begun\n");
setInterval(() => {}, 1000);
