interface Ordered {
  readonly id: string;
  readonly order: number;
}

/** The order that puts a table of the list at another place of it, or undefined where it stands there already. */
export function orderAt(tables: readonly Ordered[], movedId: string, place: number): number | undefined {
  if (tables.findIndex((table) => table.id === movedId) === place) return undefined;
  const others = tables.filter((table) => table.id !== movedId);
  const above = others[place - 1];
  const below = others[place];
  if (above === undefined) return below === undefined ? undefined : below.order - 1;
  return below === undefined ? above.order + 1 : (above.order + below.order) / 2;
}
