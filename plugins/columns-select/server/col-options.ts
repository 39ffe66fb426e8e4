import { randomUUID } from 'node:crypto';
import type { ColumnSchema } from '@trellis/sdk/server';
import { defineErrors } from '@trellis/sdk/shared';
import {
  fold,
  longestTitle,
  mostOptions,
  swatches,
  type SelectOption,
  type SelectOptions,
} from '../shared/index.ts';

const errors = defineErrors({
  SELECT_OPTIONS: { status: 400, message: '`colOptions.options` must be a list of options with a `title`.' },
});

type Meta = Readonly<Record<string, unknown>>;
type Body = Partial<Record<'id' | 'title' | 'color', unknown>>;

const stored = (meta: Meta | undefined): readonly SelectOption[] =>
  (meta as Partial<SelectOptions> | undefined)?.options ?? [];

/** The options that a client of the v1 API sends: a list, or an object with a list; new ones have no id and may have no colour. */
export function fromColOptions(colOptions: unknown): Meta {
  const list = Array.isArray(colOptions) ? colOptions : (colOptions as { options?: unknown }).options;
  if (!Array.isArray(list)) throw errors.create('SELECT_OPTIONS');
  const options = list.map((of: Body | null, index): SelectOption => {
    if (typeof of !== 'object' || of === null || typeof of.title !== 'string')
      throw errors.create('SELECT_OPTIONS');
    const title = of.title.trim();
    const id = typeof of.id === 'string' && of.id !== '' ? of.id : `sl_${randomUUID()}`;
    const color = typeof of.color === 'string' ? of.color : swatches[index % swatches.length];
    return { id, title, color: color ?? '#eeeeee' };
  });
  return { options };
}

/** An option for each text that can be one; of several options, for each part. Undefined for more than a list may have. */
export function optionsOfTexts(isMultiple: boolean): (texts: readonly string[]) => Meta | undefined {
  return (texts) => {
    const parts = texts.flatMap((text) => (isMultiple ? text.split(',') : [text])).map((part) => part.trim());
    const usable = parts.filter((title) => title !== '' && title.length <= longestTitle);
    const sorted = usable.toSorted((left, right) => left.localeCompare(right));
    // Of titles that are the same to people the last one is kept, which begins with a capital.
    const titles = new Map(sorted.map((title) => [fold(title), title]));
    if (titles.size > mostOptions) return undefined;
    return fromColOptions([...titles.values()].map((title) => ({ title })));
  };
}

/** The options as clients of the v1 API read them. */
export function toColOptions(column: ColumnSchema): unknown {
  return {
    options: stored(column.meta).map((of, index) => ({
      ...of,
      fk_column_id: column.id,
      order: index + 1,
    })),
  };
}
