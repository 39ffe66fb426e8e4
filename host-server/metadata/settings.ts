import type { Unit } from '../sql/unit.ts';

/** What the server remembers about itself, in `trellis_setting`; undefined when nothing was remembered under this key. */
export async function readSetting(unit: Unit, key: string): Promise<string | undefined> {
  const row = await unit.first<{ value: string | null }>(
    unit.knex('trellis_setting').where({ key }).select('value'),
  );
  return row?.value ?? undefined;
}

export async function writeSetting(unit: Unit, key: string, value: string): Promise<void> {
  await unit.run(unit.knex('trellis_setting').insert({ key, value }).onConflict('key').merge(['value']));
}
