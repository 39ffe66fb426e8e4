import type { FunctionDefinition, FunctionParameter } from '@trellis/sdk/server';
import type { Expression } from '@trellis/sdk/shared';
import { joined, sql, text, type SqlFragment } from '../sql/fragment.ts';
import { compileEach, compileExpression } from './compile-expression.ts';
import type { CompileContext } from './compile-context.ts';
import { hostFunctions } from './host-functions.ts';
import { magnitudeOf } from './magnitudes.ts';
import { queryErrors } from './query-errors.ts';
import { converted, isNumber, type TypedSql } from './result-types.ts';

interface Call {
  readonly function: string;
  readonly arguments: readonly Expression[];
}

/**
 * A call of a function of the registry.
 *
 * @throws TrellisError 400 when the arguments do not fit the parameters, 409 when nobody provides the function or when it has no
 * SQL for this database.
 */
export function compileCall(context: CompileContext, call: Call): TypedSql {
  const definition = context.reach.functions.get(call.function);
  if (definition === undefined) throw queryErrors.create('FUNCTION_UNKNOWN', { function: call.function });
  const { body } = definition;
  if (body.kind === 'tree') {
    const mark = `${definition.id}()`;
    const open = context.open ?? [];
    if (open.includes(mark)) throw queryErrors.create('FUNCTION_CIRCULAR', { function: definition.id });
    parametersOf(definition, call.arguments);
    return compileExpression({ ...context, open: [...open, mark] }, body.build(call.arguments));
  }
  const parameters = parametersOf(definition, call.arguments);
  const values = compileEach(context, call.arguments).map((value, index) =>
    fitted(context, definition, parameters[index], value),
  );
  const type = definition.result(values.map((value) => value.type));
  if (body.kind === 'dialect') {
    const host = hostFunctions.get(definition.id);
    if (host === undefined) throw new Error(`The host has no SQL for its function '${definition.id}'.`);
    const { magnitude } = host;
    return { sql: host.sql(context.dialect, values), type, ...(magnitude !== undefined && { magnitude }) };
  }
  const template = body.text[context.dialect.name] ?? body.text.default;
  if (template === undefined) throw queryErrors.create('FUNCTION_UNSUPPORTED', { function: definition.id });
  return {
    sql: filled(
      template,
      values.map((value) => value.sql),
    ),
    type,
  };
}

/** The parameter of each argument. */
function parametersOf(
  { id, parameters }: FunctionDefinition,
  given: readonly Expression[],
): readonly (FunctionParameter | undefined)[] {
  const least = parameters.filter(({ optional, rest }) => optional !== true && rest !== true).length;
  const last = parameters.at(-1);
  const most = last?.rest === true ? Infinity : parameters.length;
  if (given.length < least || given.length > most)
    throw queryErrors.create('FUNCTION_ARGUMENTS', { function: id, given: given.length });
  return given.map((_, index) => parameters[Math.min(index, parameters.length - 1)]);
}

/** Converts an argument to a kind that its parameter accepts. */
function fitted(
  { dialect }: CompileContext,
  { id }: FunctionDefinition,
  parameter: FunctionParameter | undefined,
  value: TypedSql,
): TypedSql {
  const kinds = parameter?.kinds ?? 'any';
  if (kinds === 'any' || kinds.includes(value.type.kind)) return value;
  const number = isNumber(value.type.kind) ? kinds.find(isNumber) : undefined;
  const isWords = value.type.kind === 'string' || value.type.kind === 'text';
  const words = isWords ? kinds.find((kind) => kind === 'string' || kind === 'text') : undefined;
  const kind = number ?? words;
  if (kind === undefined)
    throw queryErrors.create('FUNCTION_ARGUMENT_KIND', { function: id, kind: value.type.kind });
  return {
    sql: converted(dialect, value, { kind }),
    type: { kind, nullable: value.type.nullable },
    magnitude: magnitudeOf(value),
  };
}

/** A plugin's text with the arguments in the places of `{0}`, `{1}` and `{*}`. */
function filled(template: string, values: readonly SqlFragment[]): SqlFragment {
  const bracketed = values.map((value) => sql`(${value})`);
  const parts = template.split(/(\{(?:\d+|\*)\})/).map((part) => {
    if (part === '{*}') return joined(bracketed, ', ');
    const index = /^\{(\d+)\}$/.exec(part)?.[1];
    if (index === undefined) return text(part.replaceAll('?', '\\?'));
    return bracketed[Number(index)] ?? text('null');
  });
  return joined(parts, '');
}
