import type { ColumnInput, ServerColumnType } from '@trellis/sdk/server';
import { schemaErrors } from '../schema-errors.ts';
import { bareDefault } from './column-plan.ts';

type Options = ColumnInput['meta'];

/** The options in a default value, split by the column's list; undefined when cells hold no options, or the text cannot be read. */
function optionsIn(text: string, meta: Options, type: ServerColumnType | undefined) {
  if (type?.valuesInOrder === undefined) return undefined;
  const options = { ...type.options?.defaults, ...meta };
  const context = { id: '', title: '', required: false, storage: type.storage, options };
  const read = type.parse(bareDefault(text), context);
  if (!read.ok || typeof read.value !== 'string') return undefined;
  const { value } = read;
  const known = new Set(type.valuesInOrder(options));
  const items = type.separator === undefined ? [value] : value.split(type.separator);
  return { known: items.filter((item) => known.has(item)), unknown: items.find((item) => !known.has(item)) };
}

/**
 * Refuses a new default value that is not an option of its column. Cells may hold other texts from elsewhere, but no new row
 * should start with one.
 *
 * @param input the column as it will be
 * @throws TrellisError 400 that names the value
 */
export function assertDefaultIsOption(
  title: string,
  { defaultValue, meta }: Pick<ColumnInput, 'defaultValue' | 'meta'>,
  type: ServerColumnType | undefined,
): void {
  const found = defaultValue === undefined ? undefined : optionsIn(defaultValue, meta, type);
  if (found?.unknown !== undefined)
    throw schemaErrors.create('DEFAULT_NO_OPTION', { column: title, value: found.unknown });
}

/** A default value without options that no longer exist; undefined when none is left. */
export function withoutGoneOptions(
  text: string,
  meta: Options,
  type: ServerColumnType | undefined,
): string | undefined {
  const found = optionsIn(text, meta, type);
  if (found?.unknown === undefined) return text;
  return found.known.length === 0 ? undefined : found.known.join(type?.separator);
}
