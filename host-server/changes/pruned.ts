import type { Unit } from '../sql/unit.ts';
import { readSetting, writeSetting } from '../metadata/settings.ts';
import type { Metadata } from '../metadata/metadata.ts';

const key = 'log.pruned';

/** The highest number that the retention has deleted; all later ones are in the log, open or a gap. */
export async function prunedTo({ database }: Metadata): Promise<number> {
  return Number((await database.read((unit) => readSetting(unit, key))) ?? 0);
}

/** Stores what the retention deleted, in the transaction that deletes it. */
export function setPrunedTo(unit: Unit, seq: number): Promise<void> {
  return writeSetting(unit, key, String(seq));
}
