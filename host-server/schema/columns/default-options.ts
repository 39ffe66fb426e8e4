import type { ColumnInput, ServerColumnType } from '@trellis/sdk/server';
import { schemaErrors } from '../schema-errors.ts';
import { bareDefault } from './column-plan.ts';

type Options = ColumnInput['meta'];

/** The options in a default value, told apart by the list of the column; undefined where cells hold no options, or it cannot be read. */
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
 * Refuses a new default value of a column whose cells hold options, where it is none of them: cells may hold other texts that came from
 * elsewhere, but no new row should begin with one.
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

/** A default value without the options that are gone; undefined where none is left. */
export function withoutGoneOptions(
  text: string,
  meta: Options,
  type: ServerColumnType | undefined,
): string | undefined {
  const found = optionsIn(text, meta, type);
  if (found?.unknown === undefined) return text;
  return found.known.length === 0 ? undefined : found.known.join(type?.separator);
}
