import { expect } from "vitest";
import { KINDS, test } from "../drivers.js";

test.for(KINDS)(
  "a database on %s opens a store with the backend made for it, and with no other",
  async (driver, { open }) => {
    const { database } = await open({ driver });
    const opened = await database.openStore<string>({
      memory: async () => "memory",
      sqlite: async () => "sqlite",
    });
    expect(opened).toBe(driver === "memory" ? "memory" : "sqlite");
  },
);
