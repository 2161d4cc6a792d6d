/** One thing to measure. `once` answers with what it took, or several calls took; a peer may fail without ending the run. */
export interface Contender {
  readonly subject: string;
  readonly optional?: boolean;
  once(round: number): Promise<number | readonly number[]>;
}

export interface Rounds {
  /** Thrown away. */
  readonly warmup: number;
  readonly rounds: number;
  /** Measurements in a row of one contender before the next one has its turn. */
  readonly block?: number;
  /** No new round after that. */
  readonly budgetMs?: number;
}

export interface Outcome {
  readonly samples: readonly number[];
  readonly missing: string | undefined;
}

/** A B C A B C …: what the machine does beside us hits all alike. */
export async function interleave(
  contenders: readonly Contender[],
  { warmup, rounds, block = 1, budgetMs = 120_000 }: Rounds,
): Promise<ReadonlyMap<string, Outcome>> {
  const started = performance.now();
  const samples = new Map<string, number[]>(contenders.map(({ subject }) => [subject, []]));
  const failures = new Map<string, string>();
  for (let round = 0; round < warmup + rounds; round++) {
    if (round > warmup && performance.now() - started > budgetMs) break;
    for (const contender of contenders) {
      const { subject, optional = false } = contender;
      if (failures.has(subject)) continue;
      try {
        for (let turn = 0; turn < block; turn++) {
          const took = await contender.once(round * block + turn);
          if (round >= warmup) samples.get(subject)?.push(...[took].flat());
        }
      } catch (thrown) {
        if (!optional) throw thrown;
        failures.set(subject, messageOf(thrown));
        samples.set(subject, []);
      }
    }
  }
  return new Map([...samples].map(([subject, taken]) => [subject, { samples: taken, missing: failures.get(subject) }]));
}

function messageOf(thrown: unknown): string {
  return (thrown instanceof Error ? thrown.message : String(thrown)).split("\n", 1)[0]?.slice(0, 200) ?? "";
}
