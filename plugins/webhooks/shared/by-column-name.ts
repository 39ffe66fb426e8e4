/**
 * A row by the names that its columns have in the database, as a webhook of the event `before` is told of one. What is no title of a column
 * stays as it is: callers may bring such a row themselves.
 *
 * @param names titles of columns with their names in the database, which are empty for what is computed
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
