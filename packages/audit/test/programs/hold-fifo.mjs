import { constants, openSync } from "node:fs";

openSync(process.argv[2], constants.O_RDWR);
process.send("ready");
setInterval(() => {}, 1000);
