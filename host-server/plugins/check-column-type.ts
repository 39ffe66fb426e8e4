import { describeProblems, messageOf, validateSettings, type RegistryView } from '@trellis/core';
import type { ServerColumnType } from '@trellis/sdk/server';
import { isStorageKind, storageKinds, type CellValue, type ColumnContext } from '@trellis/sdk/shared';
import { schemaProblem } from './schema-problem.ts';

/**
 * Checks a column type when its plugin registers it. Without the check, its mistakes would show up later in tables.
 *
 * @throws Error that lists each mistake and what to write instead.
 */
export function checkColumnType(type: ServerColumnType): void {
  const shape = [...shapeProblems(type), ...optionProblems(type)];
  const problems = shape.length > 0 ? shape : exampleProblems(type);
  if (problems.length > 0) {
    throw new Error(`The column type '${String(type.id)}' cannot be used: ${problems.join('; ')}.`);
  }
}

/**
 * Checks the types of one plugin against their fallbacks, the types that take over their columns.
 *
 * @throws Error for a chain of fallbacks that does not end.
 */
export function checkFallbacks(types: RegistryView<ServerColumnType>, owner: string): void {
  for (const { item } of types.entries().filter((entry) => entry.owner === owner)) {
    const seen = [item.id];
    for (let next = item.fallback; next !== seen.at(-1); next = types.get(next)?.fallback ?? next) {
      if (types.ownerOf(next) === undefined) {
        throw new Error(
          `The column type '${item.id}' falls back to '${next}', which no plugin registers; ` +
            "name a type of 'columns-basic' such as SingleLineText, or one of a plugin that yours depends on.",
        );
      }
      if (seen.includes(next)) {
        throw new Error(
          `The fallbacks of the column type '${item.id}' go round (${[...seen, next].join(', ')}); ` +
            "let the last one be a type of 'columns-basic'.",
        );
      }
      seen.push(next);
    }
  }
}

function shapeProblems(type: ServerColumnType): readonly string[] {
  const problems: string[] = [];
  for (const key of ['id', 'label', 'icon', 'fallback'] as const) {
    if (typeof type[key] !== 'string' || type[key] === '') problems.push(`'${key}' is missing; write a text`);
  }
  for (const key of ['parse', 'format'] as const) {
    if (typeof type[key] !== 'function') problems.push(`'${key}' is missing; write a function`);
  }
  for (const key of ['accepts', 'operators', 'examples'] as const) {
    if (!Array.isArray(type[key])) problems.push(`'${key}' is missing; write a list`);
  }
  const kinds = `write one of ${storageKinds.join(', ')}`;
  if (!isStorageKind(type.storage)) problems.push(`'storage' is '${String(type.storage)}'; ${kinds}`);
  if (!Array.isArray(type.accepts)) return problems;
  const unknown = type.accepts.filter((kind) => !isStorageKind(kind));
  if (unknown.length > 0) problems.push(`'accepts' names '${unknown.join("', '")}'; ${kinds}`);
  if (!type.accepts.includes(type.storage))
    problems.push(`'accepts' lacks the type's own storage; add '${type.storage}'`);
  if (type.stamp !== undefined && (type.storage !== 'datetime' || type.editable !== false))
    problems.push("'stamp' is for moments that nobody types; write storage: 'datetime' and editable: false");
  if (type.author !== undefined && (type.storage !== 'string' || type.editable !== false))
    problems.push("'author' is for people whom nobody types; write storage: 'string' and editable: false");
  if (type.numbersRows === true && (type.storage !== 'integer' || type.editable !== false))
    problems.push(
      "'numbersRows' is for numbers that nobody types; write storage: 'integer' and editable: false",
    );
  return problems;
}

function optionProblems({ options }: ServerColumnType): readonly string[] {
  if (options === undefined) return [];
  const problem = schemaProblem('options.schema', options.schema);
  if (problem !== undefined) return [problem];
  const outcome = validateSettings(options.schema, options.defaults);
  return outcome.kind === 'invalid'
    ? [`'options.defaults' do not fit 'options.schema': ${describeProblems(outcome.problems)}`]
    : [];
}

/** The product needs examples to know a type before anybody has used it. */
function exampleProblems(type: ServerColumnType): readonly string[] {
  const column: ColumnContext = {
    id: 'example',
    title: 'Example',
    required: false,
    storage: type.storage,
    options: { ...type.options?.defaults },
  };
  const roundTrip = ({ input, value }: ServerColumnType['examples'][number]): string | undefined => {
    const parsed = type.parse(input, column);
    if (!parsed.ok) return `'parse' refuses it (${parsed.message})`;
    const [given, kept] = [normal(type, parsed.value, column), normal(type, value, column)];
    return given === kept ? undefined : `'parse' and 'format' give '${given}', the example says '${kept}'`;
  };
  const refusal = (input: unknown): string | undefined =>
    type.parse(input, column).ok ? "'parse' takes it although 'invalid' lists it" : undefined;
  return [
    ...type.examples.flatMap((example) => tried(example.input, () => roundTrip(example))),
    ...(type.invalid ?? []).flatMap((input) => tried(input, () => refusal(input))),
  ];
}

/** The text of a value after the type itself stored and formatted it. */
function normal(type: ServerColumnType, value: CellValue, column: ColumnContext): string {
  const text = type.format(value, column);
  const again = type.parse(text, column);
  return again.ok ? type.format(again.value, column) : text;
}

function tried(input: unknown, check: () => string | undefined): readonly string[] {
  const example = `with the example ${shown(input)}`;
  try {
    const problem = check();
    return problem === undefined ? [] : [`${example} ${problem}`];
  } catch (error) {
    const message = messageOf(error);
    return [
      `${example} it throws '${message}'; 'parse' and 'format' never throw, 'parse' answers { ok: false, message }`,
    ];
  }
}

function shown(input: unknown): string {
  return typeof input === 'bigint' ? String(input) : (JSON.stringify(input) ?? String(input)).slice(0, 60);
}
