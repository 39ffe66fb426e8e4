import type { Unit } from '../sql/unit.ts';

/** The server's stored values in `trellis_setting`; undefined if there is none under this key. */
export async function readSetting(unit: Unit, key: string): Promise<string | undefined> {
  const row = await unit.first<{ value: string | null }>(
    unit.knex('trellis_setting').where({ key }).select('value'),
  );
  return row?.value ?? undefined;
}

export async function writeSetting(unit: Unit, key: string, value: string): Promise<void> {
  await unit.run(unit.knex('trellis_setting').insert({ key, value }).onConflict('key').merge(['value']));
}
