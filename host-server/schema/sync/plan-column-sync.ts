import type { RegistryView } from '@trellis/core';
import type { SchemaDifference, ServerColumnType } from '@trellis/sdk/server';
import type { ColumnRow } from '../../metadata/models/column-model.ts';

export interface ColumnPatch {
  readonly id: string;
  readonly patch: Partial<ColumnRow>;
}

/** The changes that the database made to a column that both have. Its type stays if it accepts the new native type. */
export function changesOf(
  column: ColumnRow,
  now: ColumnRow,
  columnTypes: RegistryView<ServerColumnType>,
): readonly (ColumnPatch & { readonly difference: SchemaDifference })[] {
  const { id, column_name: name } = column;
  const about = { column: name, columnId: id, nativeType: now.native_type };
  const { primary_key, key_position, computed, auto_increment, is_unique, default_value } = now;
  const meta = choicesOf(column, now, columnTypes);
  const rules = {
    primary_key,
    key_position,
    computed,
    auto_increment,
    is_unique,
    default_value,
    required: now.required,
    ...(meta && { meta }),
  };
  // When the column was taken over, it could only be shown as stored; now its type is understood.
  const isUnderstood = column.computed && !computed && column.storage !== now.storage;
  if (isUnderstood || column.native_type.trim().toLowerCase() !== now.native_type.trim().toLowerCase()) {
    const keepsType = !isUnderstood && columnTypes.get(column.uidt)?.accepts.includes(now.storage) === true;
    const { storage, native_type, length, precision, scale } = now;
    const type = keepsType ? {} : { uidt: now.uidt, fallback: now.fallback, meta: now.meta };
    const patch = { ...rules, ...type, storage, native_type, length, precision, scale };
    return [{ id, patch, difference: { kind: 'columnTypeChanged', ...about } }];
  }
  // For a column that is filled by itself, `required` is a choice made in this product, whatever the database says.
  const isFilled = default_value !== null || primary_key || auto_increment || computed;
  const isSame =
    column.primary_key === primary_key &&
    column.computed === computed &&
    column.auto_increment === auto_increment &&
    (column.is_unique === is_unique || primary_key) &&
    isSameDefault(column.default_value, default_value) &&
    meta === undefined &&
    (isFilled || column.required === now.required);
  if (isSame) return [];
  const required = isFilled ? column.required : now.required;
  return [{ id, patch: { ...rules, required }, difference: { kind: 'columnRulesChanged', ...about } }];
}

/** The column's options with the choices that the database allows now; undefined when these are unchanged. */
function choicesOf(
  column: ColumnRow,
  now: ColumnRow,
  columnTypes: RegistryView<ServerColumnType>,
): ColumnRow['meta'] | undefined {
  const type = columnTypes.get(column.uidt);
  if (column.uidt !== now.uidt || now.meta === null || type?.valuesInOrder === undefined) return undefined;
  const [former, choices] = [column.meta, now.meta].map(
    (meta) => type.valuesInOrder?.({ ...type.options?.defaults, ...meta }) ?? [],
  );
  const isSame = former?.length === choices?.length && choices?.every((text) => former?.includes(text));
  return isSame === true ? undefined : type.server?.optionsOfTexts?.(choices ?? [], column.meta ?? {});
}

const presentTime =
  /^(?:now|getdate|sysdatetime|sysutcdatetime|localtimestamp|utc_timestamp)\b|\bcurrent_timestamp\b/i;

/**
 * The meaning of a default, without the notation of databases: `((5))`, `'5'::text`, `N'5'` and `5` are one default. Quoted words
 * count as written, with their case. A default set in this product is stored as it was set, without quotes.
 */
function meaningOf(printed: string | null): { readonly words: string; readonly means: string | symbol } {
  let text = (printed ?? '').trim();
  for (;;) {
    const inner = /^\((.*)\)$/s.exec(text)?.[1] ?? /^(.*)::[\w\s"().[\],]+$/s.exec(text)?.[1];
    if (inner === undefined) break;
    text = inner.trim();
  }
  const quoted = /^N?'(.*)'$/s.exec(text)?.[1]?.replaceAll("''", "'");
  if (quoted !== undefined) return { words: quoted, means: quoted };
  if (presentTime.test(text)) return { words: text, means: thePresent };
  const folded = text.toLowerCase();
  const means = { true: '1', false: '0', "b'1'": '1', "b'0'": '0', null: '' }[folded] ?? text;
  return { words: text, means };
}

const thePresent = Symbol('the present time');

/** Whether two defaults mean the same, as far as their texts show. */
export function isSameDefault(one: string | null, other: string | null): boolean {
  const [left, right] = [meaningOf(one), meaningOf(other)];
  if (left.words === right.words || left.means === right.means) return true;
  const numbers = [left.means, right.means].map((means) =>
    typeof means === 'symbol' || means === '' ? Number.NaN : Number(means),
  );
  return Number.isFinite(numbers[0]) && numbers[0] === numbers[1];
}
