import { randomUUID } from 'node:crypto';
import type { ColumnSchema } from '@trellis/sdk/server';
import {
  defineErrors,
  longestOptionTitle,
  type SelectOption,
  type SelectOptions,
  swatches,
} from '@trellis/sdk/shared';
import { fold, mostOptions } from '../shared/index.ts';

const errors = defineErrors({
  SELECT_OPTIONS: { status: 400, message: '`colOptions.options` must be a list of options with a `title`.' },
});

type Meta = Readonly<Record<string, unknown>>;
type Body = Partial<Record<'id' | 'title' | 'color', unknown>>;

function stored(meta: Meta | undefined): readonly SelectOption[] {
  // A column of another type may store something else under this name.
  const options: readonly (SelectOption | null)[] = Array.isArray(meta?.options)
    ? (meta as SelectOptions).options
    : [];
  return options.filter(
    (of) => of !== null && typeof of === 'object' && typeof of.title === 'string',
  ) as readonly SelectOption[];
}

/** A database's list of enum values: `'a','b c','it''s'`. Undefined for anything else, such as a length. */
function quotedTitles(text: unknown): readonly { readonly title: string }[] | undefined {
  if (typeof text !== 'string' || !/^\s*'/.test(text)) return undefined;
  const titles: { readonly title: string }[] = [];
  for (let at = 0; at < text.length; at += 1) {
    at = text.indexOf("'", at);
    if (at < 0) break;
    let title = '';
    for (at += 1; at < text.length; at += 1) {
      if (text[at] !== "'") title += text[at];
      else if (text[at + 1] === "'") title += text[(at += 1)];
      else break;
    }
    titles.push({ title });
  }
  return titles;
}

/** The options in a list of `dtxp`: existing ones of the column, and new ones. */
function quotedOptions(text: unknown, former: readonly SelectOption[]): readonly Body[] | undefined {
  const titles = quotedTitles(text);
  if (titles === undefined) return undefined;
  const known = new Map(former.map((of) => [fold(of.title), of]));
  return titles.map((of) => ({ ...known.get(fold(of.title)), ...of }));
}

/**
 * The options from a client of the v1 API: a list, or an object with a list; new ones have no id and may have no colour. Clients
 * that import files name them only in `dtxp`; such a title keeps its id and colour in the column.
 */
export function fromColOptions(colOptions: unknown, meta?: Meta, former?: Meta): Meta {
  const body = colOptions as { readonly options?: unknown; readonly dtxp?: unknown };
  const given = Array.isArray(colOptions) ? colOptions : body.options;
  const isNamed = given !== undefined || meta?.options !== undefined;
  const list = isNamed ? given : quotedOptions(body.dtxp, stored(former));
  if (list === undefined && body.dtxp !== undefined) return {};
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

/**
 * An option for each valid text, in the order of first occurrence; for several options, for each part. Existing ones keep their
 * ids, colours and places. Undefined for more than a list may have.
 */
export function optionsOfTexts(
  isMultiple: boolean,
): (texts: readonly string[], former?: Meta) => Meta | undefined {
  return (texts, former) => {
    const parts = texts.flatMap((text) => (isMultiple ? text.split(',') : [text])).map((part) => part.trim());
    const usable = parts.filter((title) => title !== '' && title.length <= longestOptionTitle);
    // A map keeps the first position of each key.
    const titles = new Map<string, string>();
    for (const title of usable) {
      const other = titles.get(fold(title));
      // Of titles that differ only in case, the one with a capital is kept.
      if (other === undefined || other.localeCompare(title) < 0) titles.set(fold(title), title);
    }
    if (titles.size > mostOptions) return undefined;
    const kept = stored(former).filter(({ title }) => titles.get(fold(title)) === title);
    const known = new Set(kept.map(({ title }) => title));
    const added = [...titles.values()].filter((title) => !known.has(title)).map((title) => ({ title }));
    const { options } = fromColOptions([...kept, ...added]) as { readonly options: readonly SelectOption[] };
    return { ...former, options };
  };
}

/** The titles of the options as a database's list of enum values. */
export const toDtxp = ({ meta }: ColumnSchema): string =>
  stored(meta)
    .map(({ title }) => `'${title.replaceAll("'", "''")}'`)
    .join(',');

/** The options for clients of the v1 API. */
export function toColOptions(column: ColumnSchema): unknown {
  return {
    options: stored(column.meta).map((of, index) => ({
      ...of,
      fk_column_id: column.id,
      order: index + 1,
    })),
  };
}
