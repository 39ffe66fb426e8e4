import type { ArchivedTable } from '../backup/archive.ts';
import { keysOf } from './planned-links.ts';
import type { Restoring } from './restore-tables.ts';

/** A foreign key of a table. */
interface Naming {
  readonly keys: readonly string[];
  readonly holder: string;
  readonly named: string;
}

/** Tables in an order in which rows come after those that they name. */
export interface TableOrder {
  readonly tables: readonly ArchivedTable[];
  /** The foreign keys that cannot be set with their rows. */
  readonly later: ReadonlySet<string>;
}

/** Computes the order in one pass over tables and links, whatever their number; junction tables come last. */
export function tableOrder({ archive, plan, ids }: Pick<Restoring, 'archive' | 'plan' | 'ids'>): TableOrder {
  const made = archive.tables.filter(({ id }) => ids.get(id) !== undefined);
  const own = made.filter(({ id }) => !plan.junctions.has(id));
  const namings = plan.links
    .map(({ link }): Naming => {
      const isHeldThere = link.kind === 'hasMany';
      const [holder, named] = isHeldThere ? [link.toTableId, link.tableId] : [link.tableId, link.toTableId];
      return { keys: keysOf(link), holder, named };
    })
    .filter(({ keys }) => keys.length > 0);
  const byNamed = grouped(namings, ({ named }) => [named]);
  const byKey = grouped(namings, ({ keys }) => keys);
  const open = new Map(own.map(({ id }) => [id, new Set<Naming>()]));
  for (const naming of namings) open.get(naming.holder)?.add(naming);

  const later = new Set<string>();
  const order = new Set<string>();
  const free = own.filter(({ id }) => open.get(id)?.size === 0).map(({ id }) => id);

  const isOpen = (naming: Naming) => open.get(naming.holder)?.has(naming) === true;

  function settle(naming: Naming): void {
    const left = open.get(naming.holder);
    if (left?.delete(naming) === true && left.size === 0) free.push(naming.holder);
  }

  function placeFree(): void {
    for (let id = free.shift(); id !== undefined; id = free.shift()) {
      order.add(id);
      for (const naming of byNamed.get(id) ?? []) settle(naming);
    }
  }

  /** Foreign keys to a table of the same cycle are set once all rows exist. */
  function postpone({ keys }: Naming): void {
    for (const key of keys) later.add(key);
    for (const naming of keys.flatMap((key) => byKey.get(key) ?? []))
      if (isOpen(naming) && naming.keys.every((key) => later.has(key))) settle(naming);
  }

  placeFree();
  for (const { id } of own) {
    for (const naming of open.get(id) ?? []) if (isOpen(naming)) postpone(naming);
    placeFree();
  }
  const byId = new Map(own.map((table) => [table.id, table]));
  const between = made.filter(({ id }) => plan.junctions.has(id));
  return {
    tables: [...[...order].flatMap((id) => byId.get(id) ?? []), ...between],
    later,
  };
}

function grouped(
  namings: readonly Naming[],
  namesOf: (naming: Naming) => readonly string[],
): ReadonlyMap<string, readonly Naming[]> {
  const groups = new Map<string, Naming[]>();
  for (const naming of namings)
    for (const name of namesOf(naming)) {
      const group = groups.get(name);
      if (group === undefined) groups.set(name, [naming]);
      else group.push(naming);
    }
  return groups;
}
