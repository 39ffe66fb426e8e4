import type { Unit } from '../sql/unit.ts';
import type { Metadata } from '../metadata/metadata.ts';

const key = 'log.pruned';

/** The greatest number that the retention has deleted; everything after it is in the log, open or a gap. */
export async function prunedTo({ database }: Metadata): Promise<number> {
  const row = await database.read((unit) =>
    unit.first<{ value: string }>(unit.knex('trellis_setting').where({ key }).select('value')),
  );
  return Number(row?.value ?? 0);
}

/** Remembers what the retention deleted, in the transaction that deletes it. */
export async function setPrunedTo(unit: Unit, seq: number): Promise<void> {
  const row = { key, value: String(seq) };
  await unit.run(unit.knex('trellis_setting').insert(row).onConflict('key').merge(['value']));
}
