import { isExpected, type Registry, type RegistryView } from '@trellis/core';
import type { ServerColumnType } from '@trellis/sdk/server';
import type { CellValue, FilterOperator, ValueConversion } from '@trellis/sdk/shared';
import { findOperator } from '../../query/find-operator.ts';
import type { PluginErrors } from '../../runtime/tokens.ts';
import type { Unit } from '../../sql/unit.ts';
import { models } from '../../metadata/models/models.ts';
import { schemaErrors } from '../schema-errors.ts';
import type { ConversionEnd } from './convert-value.ts';

type Options = Readonly<Record<string, unknown>>;
type ValueEnd = Pick<ConversionEnd, 'type' | 'storage' | 'title' | 'options'>;

/** Where a value leads that stands outside of the rows. Undefined when it stays, or when nothing of the column is like it now. */
type Move = (input: unknown) => CellValue | undefined;

export interface MovedValues {
  /**
   * What changed options make of the values of a column; undefined when every value stays.
   *
   * @throws TrellisError 500 `COLUMN_TYPE_FAILED` when the code of the type fails, here or in the conversion.
   */
  conversionOf(type: string, before: Options, after: Options): ValueConversion | undefined;
  /** The same for values outside of the rows, as people and clients write them: in filters, and as a default value. */
  moveOf(from: ValueEnd, to: Pick<ValueEnd, 'type' | 'options'>): Move | undefined;
  /** Lets the saved filters of a column ask for the values that its rows hold from now on. */
  moveFilters(
    unit: Unit,
    columnId: string,
    ends: { readonly from: ValueEnd; readonly to: ValueEnd },
  ): Promise<void>;
}

export interface MovedValuesDependencies {
  readonly columnTypes: Registry<ServerColumnType>;
  readonly filterOperators: RegistryView<FilterOperator>;
  readonly errors: PluginErrors;
}

export function createMovedValues({
  columnTypes,
  filterOperators,
  errors,
}: MovedValuesDependencies): MovedValues {
  function contained<T>(type: ServerColumnType, run: () => T): T {
    try {
      return run();
    } catch (error) {
      if (isExpected(error)) throw error;
      errors.charge(columnTypes.subject(type.id), error);
      throw schemaErrors.create('COLUMN_TYPE_FAILED', { type: type.label }, error);
    }
  }

  function conversionOf(id: string, before: Options, after: Options): ValueConversion | undefined {
    const type = columnTypes.get(id);
    if (type?.convertOptions === undefined) return undefined;
    const defaults = type.options?.defaults;
    const conversion = contained(type, () =>
      type.convertOptions?.({ ...defaults, ...before }, { ...defaults, ...after }),
    );
    return conversion && { convert: (value) => contained(type, () => conversion.convert(value)) };
  }

  function moveOf(from: ValueEnd, to: Pick<ValueEnd, 'type' | 'options'>): Move | undefined {
    const type = columnTypes.get(from.type);
    const conversion = from.type === to.type ? conversionOf(from.type, from.options, to.options) : undefined;
    if (type === undefined || conversion === undefined) return undefined;
    const options = { ...type.options?.defaults, ...from.options };
    const context = { id: '', title: from.title, required: false, storage: from.storage, options };
    return (input) => {
      const parsed = type.parse(input, context);
      if (!parsed.ok || parsed.value === null) return undefined;
      const { value, lost } = conversion.convert(parsed.value);
      const stays = JSON.stringify(value) === JSON.stringify(parsed.value);
      return lost || value === null || stays ? undefined : value;
    };
  }

  return {
    conversionOf,
    moveOf,
    async moveFilters(unit, columnId, { from, to }) {
      const move = moveOf(from, to);
      if (move === undefined) return;
      const offered = columnTypes.get(from.type)?.operators ?? [];
      const { FilterModel } = await models();
      for (const filter of await FilterModel.query(unit.knex).where({ column_id: columnId })) {
        const operator = findOperator(filterOperators, filter.operator ?? '');
        // Words are a value where the type offers to compare with them, and else a word of the operator's own, such as `empty`.
        if (operator?.takes === 'words' && !offered.includes(operator.id)) continue;
        const value = movedFilterValue(filter.value, operator?.arity, move);
        if (value === undefined) continue;
        await FilterModel.query(unit.knex).findById(filter.id).patch({ value, updated_at: Date.now() });
      }
    },
  };
}

/** What a filter compares with once values have moved; undefined where that stays. */
function movedFilterValue(value: unknown, arity: FilterOperator['arity'] | undefined, move: Move): unknown {
  if (arity === 'none' || value === undefined || value === null || value === '') return undefined;
  if (arity !== 'list' && arity !== 'two') return move(value);
  const parts: readonly unknown[] =
    typeof value === 'string' ? value.split(',').map((part) => part.trim()) : [value].flat();
  const moved = parts.map((part) => move(part));
  if (moved.every((part) => part === undefined)) return undefined;
  const after = moved.map((part, at) => part ?? parts[at]);
  // A value with a comma of its own would fall apart in a text.
  const staysText = typeof value === 'string' && !after.some((part) => String(part).includes(','));
  return staysText ? after.join(',') : after;
}
