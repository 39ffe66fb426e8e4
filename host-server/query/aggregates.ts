import type { Aggregate } from '@trellis/sdk/shared';
import { sql, type SqlFragment } from '../sql/fragment.ts';
import type { CompileContext } from './compile-context.ts';
import { addedUp } from './magnitudes.ts';
import { queryErrors } from './query-errors.ts';
import { converted, isNumber, type TypedSql } from './result-types.ts';

/** The SQL of an aggregate over the values of a group or a sub-select. */
export function aggregated(
  { dialect }: CompileContext,
  aggregate: Exclude<Aggregate, 'count' | 'first'>,
  value: TypedSql,
): TypedSql {
  const { functions } = dialect;
  switch (aggregate) {
    case 'countDistinct':
      return {
        sql: sql`count(distinct ${functions.groupKey(value.type, value.sql)})`,
        type: { kind: 'bigint', nullable: false },
      };
    case 'sum':
    case 'sumDistinct': {
      if (!isNumber(value.type.kind)) throw queryErrors.create('NUMBERS_EXPECTED');
      // Whole numbers may add up to more than 64 bits hold.
      const kind = value.type.kind === 'float' ? 'float' : 'decimal';
      const summed = { kind } as const;
      if (functions.sumOfWhole !== undefined && aggregate === 'sum' && isWholeColumn(value))
        return { sql: functions.sumOfWhole(value.sql), type: { kind, nullable: true }, isWhole: true };
      const added = { ...value, sql: converted(dialect, value, summed) };
      const sum = (of: SqlFragment) => functions.sum(summed, each(aggregate, of));
      return {
        sql: kind === 'float' ? addedUp(added, sum) : sum(added.sql),
        type: { kind, nullable: true },
      };
    }
    case 'avg':
    case 'avgDistinct': {
      if (!isNumber(value.type.kind)) throw queryErrors.create('NUMBERS_EXPECTED');
      const float = { kind: 'float' } as const;
      const added = { ...value, sql: converted(dialect, value, float) };
      return {
        sql: addedUp(added, (of) => functions.average(float, each(aggregate, of))),
        type: { kind: 'float', nullable: true },
      };
    }
    case 'min':
      return { sql: functions.minimum(value.type, value.sql), type: { ...value.type, nullable: true } };
    case 'max':
      return { sql: functions.maximum(value.type, value.sql), type: { ...value.type, nullable: true } };
  }
}

/**
 * Whether a value is a plain column of whole numbers. An expression is not: the database evaluates it again at each place where
 * it is used.
 */
function isWholeColumn({ type: { kind, native } }: TypedSql): boolean {
  return native !== undefined && (kind === 'integer' || kind === 'bigint');
}

/** The operand of an aggregate: every value, or `distinct` for the aggregates of different values. */
function each(aggregate: Aggregate, value: SqlFragment): SqlFragment {
  return aggregate === 'sumDistinct' || aggregate === 'avgDistinct' ? sql`distinct ${value}` : value;
}
