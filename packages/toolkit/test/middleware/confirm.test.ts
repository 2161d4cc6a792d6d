import { expect, test } from "vitest";
import type { AskPerson, ConfirmAnswer } from "../../src/index.js";
import { destroys, echo, from, gateway, pipeline, toolNamed } from "../fixture.js";

const remove = toolNamed("remove", async ({ text }) => ({ said: `removed ${text}` }), { annotations: destroys });
const answers = (answer: ConfirmAnswer): { ask: AskPerson } => ({ ask: async () => answer });

test.for([
  ["never", undefined, "ok"],
  ["never", "decline", "ok"],
  ["auto", undefined, "ok"],
  ["auto", "accept", "ok"],
  ["auto", "decline", "PERMISSION_DENIED"],
  ["auto", "cancel", "CANCELLED"],
  ["require", undefined, "PERMISSION_DENIED"],
  ["require", "accept", "ok"],
  ["require", "decline", "PERMISSION_DENIED"],
] as const)("mode %s with the answer %s ends in %s", async ([confirmMode, answer, status]) => {
  const { dispatcher, records } = pipeline([remove], { confirmMode });
  const call = dispatcher.call("remove", {}, from("t", answer === undefined ? {} : answers(answer)));
  await call.catch(() => {});
  expect(records.map((record) => record.status)).toEqual([status]);
});

test("a person who does not answer is waited for only so long, and the question is withdrawn", async () => {
  const withdrawn = gateway();
  const ask: AskPerson = (_question, signal) => {
    signal.addEventListener("abort", () => withdrawn.open());
    return new Promise(() => {});
  };
  const { dispatcher } = pipeline([remove], { confirmMode: "auto", confirmMs: 20 });
  await expect(dispatcher.call("remove", {}, from("t", { ask }))).rejects.toMatchObject({ code: "TIMEOUT" });
  await withdrawn.opened;
});

test("a reading tool is never asked about, and a waiting question holds no slot", async () => {
  const asked: string[] = [];
  const ask: AskPerson = (question) => {
    asked.push(question.tool);
    return new Promise(() => {});
  };
  const { dispatcher } = pipeline([remove, echo], { confirmMode: "auto", concurrency: 1, queue: 0 });
  const waiting = dispatcher.call("remove", {}, from("t", { ask, signal: AbortSignal.timeout(100) }));
  expect((await dispatcher.call("linux.echo", {}, from("t", { ask }))).payload).toEqual({ said: "hi" });
  await expect(waiting).rejects.toMatchObject({ code: "CANCELLED" });
  expect(asked).toEqual(["remove"]);
});
