import { useMemo } from 'react';
import type { ColumnEntity } from '../../shared/index.ts';
import type { WebColumnType } from '../extensions/index.ts';
import { useRegistry } from '../host.tsx';
import type { RowData } from '../rows/index.ts';
import { shownColumns, type ViewColumn } from '../views/index.ts';

/** A column on a card. @public */
export interface CardField {
  readonly column: ColumnEntity;
  /** Undefined while no plugin provides it: values are shown as text. */
  readonly type: WebColumnType | undefined;
}

/** The fields of a view's cards. @public */
export interface CardFields {
  /** The display column; undefined for a table that has none. */
  readonly naming: CardField | undefined;
  /** The other columns that the view shows, in its order. */
  readonly fields: readonly CardField[];
  /** The column of the cover; undefined for cards without one. */
  readonly cover: CardField | undefined;
}

/** The look of cards. @public */
export interface CardLook {
  readonly coverFit: 'cover' | 'contain';
  /** Pixels; only used for cards with a cover. */
  readonly coverHeight: number;
  readonly showsNames: boolean;
}

const padding = 20;
const nameHeight = 24;
const fieldHeight = 28;
const namedFieldHeight = 44;

/** The fields on the card of a row: those without a value are left out. While the row is loading, all fields are shown. */
export function fieldsWithValue(
  { fields }: Pick<CardFields, 'fields'>,
  row: RowData | undefined,
): readonly CardField[] {
  if (row === undefined) return fields;
  return fields.filter((field) => hasValue(field, row));
}

/** Whether a row has a value in a field. */
export function hasValue({ column }: CardField, row: RowData): boolean {
  const value = row.values[column.id];
  return (
    value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)
  );
}

/** The height of a row's card, in pixels; without a row, the height of a card with values in all fields. @public */
export function cardHeight(
  { fields, cover }: CardFields,
  { coverHeight, showsNames }: CardLook,
  row?: RowData,
): number {
  const ofField = showsNames ? namedFieldHeight : fieldHeight;
  const drawn = fieldsWithValue({ fields }, row).length;
  return padding + nameHeight + drawn * ofField + (cover === undefined ? 0 : coverHeight);
}

/**
 * The fields of a view's cards.
 *
 * @param coverId the column of the cover; empty for none, undefined for the first one with pictures
 * @param without columns that are shown otherwise, such as by the stack of a card
 * @public
 */
export function useCardFields(
  columns: readonly ColumnEntity[],
  inView: readonly ViewColumn[],
  { coverId, without }: { readonly coverId: string | undefined; readonly without?: string | undefined },
): CardFields {
  const types = useRegistry('columnTypes');
  return useMemo(() => {
    const fieldOf = (column: ColumnEntity): CardField => ({
      column,
      type: types.find(({ id }) => id === column.uidt),
    });
    const all = columns.map(fieldOf);
    const isCover = ({ type }: CardField) => type?.Cover !== undefined;
    const chosen = all.find((field) => field.column.id === coverId && isCover(field));
    const cover =
      coverId === '' ? undefined : (chosen ?? (coverId === undefined ? all.find(isCover) : undefined));
    const naming = all.find(({ column }) => column.pv);
    const fields = shownColumns(
      columns,
      inView.map((each) => each.inView),
    )
      .filter(({ column }) => ![cover?.column.id, naming?.column.id, without].includes(column.id))
      .map(({ column }) => fieldOf(column));
    return { naming, fields, cover };
  }, [columns, inView, types, coverId, without]);
}
