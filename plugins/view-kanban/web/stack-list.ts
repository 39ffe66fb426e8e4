import type { CellValue, ColumnEntity, ColumnTypeDefinition, SelectOption } from '@trellis/sdk/shared';
import type { RowGroup } from '@trellis/sdk/web/rows';
import { arrangedStacks, uncategorized, type StackPlace } from '../shared/index.ts';

/** A stack of the board. */
export interface Stack extends StackPlace {
  /** The value of its rows in the column of the stacks. */
  readonly value: string | null;
  /** Undefined for people, and for values that the column does not offer. */
  readonly option?: SelectOption | undefined;
}

/** Values without an option are their own ids; longer values have no stack. */
const longestId = 255;

/**
 * The stacks in order: one for each option of a list, with or without rows; one for each other text of the rows or, if the type has
 * no list, of the view; and the empty one, at `withoutPlace` if the view has no place for it.
 */
export function stacksOf(
  {
    column,
    stacks: kind,
  }: { readonly column: ColumnEntity; readonly stacks: ColumnTypeDefinition['stacks'] },
  places: readonly StackPlace[],
  groups: readonly RowGroup[] | undefined,
  withoutPlace: 'first' | 'last',
): readonly Stack[] {
  const isList = kind === 'options';
  const options = isList ? ((column.meta?.options ?? []) as readonly SelectOption[]) : [];
  const stacks = new Map<string | null, Stack>();
  for (const option of options) stacks.set(option.title, { id: option.id, value: option.title, option });
  if (!isList) for (const { id } of places) if (id !== uncategorized) stacks.set(id, { id, value: id });
  for (const { level, values } of groups ?? []) {
    const value: CellValue = values[0] ?? null;
    const isOther = level === 0 && typeof value === 'string' && value !== '' && value.length <= longestId;
    if (isOther && !stacks.has(value)) stacks.set(value, { id: value, value });
  }
  const empty: Stack = { id: uncategorized, value: null };
  return arrangedStacks([empty, ...stacks.values()], places, withoutPlace);
}

/** The parts of a cell's value: the items of a list, or the whole text. */
export function partsOfCell(value: unknown, separator: string | undefined): readonly string[] {
  if (typeof value !== 'string' || value === '') return [];
  return separator === undefined ? [value] : value.split(separator);
}
