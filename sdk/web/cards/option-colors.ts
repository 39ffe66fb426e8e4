import type { ColumnEntity } from '../../shared/index.ts';

/** The options of a column that chooses from a list, in their order, each with its colour (`#2d6fdb`) where it has one. @public */
export function optionColors(column: ColumnEntity | undefined): ReadonlyMap<string, string | undefined> {
  const { options } = (column?.meta ?? {}) as { readonly options?: unknown };
  if (!Array.isArray(options)) return new Map();
  return new Map(
    (options as readonly { readonly title: string; readonly color?: string }[]).map(({ title, color }) => [
      title,
      color,
    ]),
  );
}
