import type { DatabaseObject, DatabaseObjectDetails, DatabaseObjectKind } from '@trellis/sdk/server';
import type { Identifiers } from '../identifiers/default.ts';
import { select } from '../introspection/default.ts';
import type { Binding } from '../../sql/session.ts';
import type { Unit } from '../../sql/unit.ts';

/** The details of an object besides its name. */
export type ObjectDetails = Omit<DatabaseObjectDetails, keyof DatabaseObject>;

/** A query with its bindings. */
export interface BoundSql {
  readonly sql: string;
  readonly bindings: readonly Binding[];
}

/** Views, functions, procedures, sequences, triggers and indexes in the catalogue of a database. */
export interface ObjectCatalogue {
  readonly kinds: readonly DatabaseObjectKind[];
  /** All objects: rows of `kind`, `id`, `name` and `about`. */
  all(unit: Unit): BoundSql | Promise<BoundSql>;
  /** The clause that limits a query to the first rows. */
  first(count: number): string;
  read(unit: Unit, object: DatabaseObject, identifiers: Identifiers): Promise<ObjectDetails>;
}

/** The limit clause of most databases. */
export const limitTo = (count: number): string => `limit ${count}`;

interface CountRow {
  readonly kind: DatabaseObjectKind;
  readonly found: number | string;
}

/** The objects whose names contain a text, and the number of each kind. */
export async function listObjects(
  unit: Unit,
  catalogue: ObjectCatalogue,
  wanted: { readonly kind?: DatabaseObjectKind; readonly search: string; readonly limit: number },
): Promise<{ readonly list: readonly DatabaseObject[]; readonly counts: ReadonlyMap<string, number> }> {
  const all = await catalogue.all(unit);
  const pattern = `%${wanted.search.toLowerCase().replaceAll(/[!%_[]/g, '!$&')}%`;
  const from = `from (${all.sql}) o where lower(o.name) like ? escape '!'`;
  const bindings = [...all.bindings, pattern];
  const counted = await select<CountRow>(
    unit,
    `select o.kind as kind, count(*) as found ${from} group by o.kind`,
    bindings,
  );
  const ofKind = wanted.kind === undefined ? '' : ' and o.kind = ?';
  const list = await select<DatabaseObject>(
    unit,
    `select o.kind as kind, o.id as id, o.name as name, o.about as about ${from}${ofKind} ` +
      `order by o.name, o.kind, o.id ${catalogue.first(wanted.limit)}`,
    wanted.kind === undefined ? bindings : [...bindings, wanted.kind],
  );
  return { list, counts: new Map(counted.map(({ kind, found }) => [kind, Number(found)])) };
}

/** An object by its kind and id; undefined if the catalogue has none. */
export async function findObject(
  unit: Unit,
  catalogue: ObjectCatalogue,
  kind: DatabaseObjectKind,
  id: string,
): Promise<DatabaseObject | undefined> {
  const all = await catalogue.all(unit);
  const [found] = await select<DatabaseObject>(
    unit,
    `select o.kind as kind, o.id as id, o.name as name, o.about as about from (${all.sql}) o where o.kind = ? and o.id = ?`,
    [...all.bindings, kind, id],
  );
  return found;
}
