import { z } from "zod";

const text = z.string().nullable();

export const servicesResult = z.strictObject({
  services: z
    .array(
      z.strictObject({
        name: z.string(),
        description: z.string(),
        state: z.string().describe("active, failed, activating, inactive …"),
        sub_state: z.string().describe("running, exited, dead, auto-restart …"),
        flapping: z.literal(true).optional().describe("It is started again and again."),
        restarts: z.int().optional().describe("By itself, if any."),
        why: z.string().optional().describe("Why it failed or does not start."),
      }),
    )
    .describe("Failed first, then flapping or changing, then running."),
  counts: z.record(z.string(), z.int()).describe("Of all services that fit, by what they are."),
  truncated: z.boolean(),
  unit: z
    .strictObject({
      enabled: text.describe("Whether it starts with the machine."),
      since: text,
      why: text,
      last_exit: text,
      restarts: z.int().nullable(),
      pid: z.int().nullable(),
      status: text.describe("What it says of itself."),
      memory_bytes: z.int().nullable(),
      memory_limit_bytes: z.int().nullable().describe("Null: none."),
      tasks: z.int().nullable(),
      tasks_limit: z.int().nullable(),
      cpu_seconds: z.number().nullable(),
      file: text,
      log: z.array(z.string()).nullable().describe("Its last lines, equal ones once; null with the reason in note."),
    })
    .optional()
    .describe("With name."),
  note: z.string().optional(),
});

export type ServicesResult = z.output<typeof servicesResult>;
