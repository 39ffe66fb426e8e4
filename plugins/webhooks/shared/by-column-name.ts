/**
 * A row by the columns' names in the database, as a webhook of the event `before` sends it. Keys that are no column's title stay
 * unchanged: callers may pass such a row themselves.
 *
 * @param names titles of columns with their names in the database, which are empty for computed ones
 */
export function byColumnName<Value>(
  row: Readonly<Record<string, Value>>,
  names: Iterable<readonly [title: string, name: string]>,
): Readonly<Record<string, Value>> {
  const nameOf = new Map(names);
  return Object.fromEntries(
    Object.entries(row).flatMap(([key, value]) => {
      const name = nameOf.get(key) ?? key;
      return name === '' ? [] : [[name, value] as const];
    }),
  );
}
