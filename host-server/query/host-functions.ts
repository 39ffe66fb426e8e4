import type { FunctionDefinition, FunctionParameter } from '@trellis/sdk/server';
import type { ResultKind, StorageKind } from '@trellis/sdk/shared';
import type { DateUnit } from '../dialects/dates/default.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { MathFunction } from '../dialects/functions/default.ts';
import { text, type SqlFragment } from '../sql/fragment.ts';
import type { TypedSql } from './result-types.ts';

/** A function of the host: what the registry says of it, and its SQL through the topics of a dialect. */
export interface HostFunction {
  readonly definition: FunctionDefinition;
  sql(dialect: Dialect, values: readonly TypedSql[]): SqlFragment;
}

const words: FunctionParameter = { kinds: ['text', 'string'] };
const number: FunctionParameter = { kinds: ['float'] };
const whole: FunctionParameter = { kinds: ['bigint', 'integer'] };
const moment: FunctionParameter = { kinds: ['datetime', 'date'] };
const any: FunctionParameter = { kinds: 'any' };

const absent = text('null');

interface Signature {
  readonly id: string;
  readonly parameters: readonly FunctionParameter[];
  readonly result: StorageKind | ((values: readonly ResultKind[]) => StorageKind);
  /** Whether the result may be missing although no argument is. */
  readonly nullable?: boolean;
}

function hostFunction(
  { id, parameters, result, nullable }: Signature,
  sql: (dialect: Dialect, values: readonly SqlFragment[], typed: readonly TypedSql[]) => SqlFragment,
): HostFunction {
  return {
    definition: {
      id,
      parameters,
      result: (values) => ({
        kind: typeof result === 'string' ? result : result(values),
        nullable: nullable ?? values.some((value) => value.nullable),
      }),
      body: { kind: 'dialect' },
    },
    sql: (dialect, values) =>
      sql(
        dialect,
        values.map((value) => value.sql),
        values,
      ),
  };
}

function mathFunction(id: string, name: MathFunction, parameters = [number]): HostFunction {
  return hostFunction({ id, parameters, result: 'float', nullable: true }, ({ functions }, values) =>
    functions.cast({ kind: 'decimal' }, 'float', functions.math(name, values)),
  );
}

function datePart(unit: 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second'): HostFunction {
  return hostFunction(
    { id: unit.toUpperCase(), parameters: [moment], result: 'integer' },
    ({ dates }, [value = absent]) => dates.part(unit, value),
  );
}

function dateSum(unit: DateUnit): HostFunction {
  const isTime = unit === 'second' || unit === 'minute' || unit === 'hour';
  const result = ([value]: readonly ResultKind[]): StorageKind =>
    value?.kind === 'date' && !isTime ? 'date' : 'datetime';
  return hostFunction(
    { id: `ADD_${unit.toUpperCase()}S`, parameters: [moment, whole], result },
    ({ dates }, [value = absent, amount = absent], [typed]) =>
      dates.add(typed?.type.kind === 'date' ? 'date' : 'datetime', value, amount, unit),
  );
}

const all: readonly HostFunction[] = [
  hostFunction({ id: 'UPPER', parameters: [words], result: 'text' }, ({ functions }, [value = absent]) =>
    functions.upper(value),
  ),
  hostFunction({ id: 'LOWER', parameters: [words], result: 'text' }, ({ functions }, [value = absent]) =>
    functions.lower(value),
  ),
  hostFunction({ id: 'LENGTH', parameters: [words], result: 'integer' }, ({ functions }, [value = absent]) =>
    functions.length(value),
  ),
  hostFunction(
    { id: 'IS_EMPTY', parameters: [any], result: 'boolean', nullable: false },
    ({ functions, json }, [value = absent], [typed]) => {
      if (typed === undefined) return absent;
      return typed.type.kind === 'json' ? json.isEmpty(value) : functions.isEmpty(typed.type, value);
    },
  ),
  mathFunction('ABS', 'abs'),
  mathFunction('CEILING', 'ceiling'),
  mathFunction('FLOOR', 'floor'),
  mathFunction('ROUND', 'round', [number, { ...whole, optional: true }]),
  mathFunction('SQRT', 'sqrt'),
  mathFunction('EXP', 'exp'),
  mathFunction('POWER', 'power', [number, number]),
  mathFunction('LN', 'ln'),
  mathFunction('LOG10', 'log10'),
  hostFunction({ id: 'NOW', parameters: [], result: 'datetime' }, ({ dates }) => dates.now()),
  hostFunction({ id: 'TODAY', parameters: [], result: 'date' }, ({ dates }) => dates.today()),
  hostFunction({ id: 'DATE', parameters: [moment], result: 'date' }, ({ dates }, [value = absent]) =>
    dates.dateOf(value),
  ),
  ...(['year', 'month', 'day', 'hour', 'minute', 'second'] as const).map(datePart),
  hostFunction({ id: 'WEEKDAY', parameters: [moment], result: 'integer' }, ({ dates }, [value = absent]) =>
    dates.weekday(value),
  ),
  ...(['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const).map(dateSum),
  hostFunction(
    { id: 'DAYS_BETWEEN', parameters: [moment, moment], result: 'integer' },
    ({ dates }, [from = absent, to = absent]) => dates.daysBetween(from, to),
  ),
];

/** The functions that every database of ours has, by id. Trees call them through the registry `functions`. */
export const hostFunctions: ReadonlyMap<string, HostFunction> = new Map(
  all.map((one) => [one.definition.id, one]),
);
