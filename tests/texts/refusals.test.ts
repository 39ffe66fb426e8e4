import { describe, expect, test } from '@jest/globals';
import {
  refusalText,
  type ColumnContext,
  type ColumnTypeDefinition,
  type JsonSchema,
  type Refusal,
} from '@trellis/sdk/shared';
import { basicTypes, switchableTypes } from '../conformance/filled-types.ts';
import { messageFiles, readMessages } from './message-files.ts';

const types = [...basicTypes, ...Object.values(switchableTypes).flat()];
const german = Object.assign(
  {},
  ...messageFiles()
    .filter((file) => file.endsWith('de.json'))
    .map((file) => readMessages(file)),
) as Readonly<Record<string, string>>;

type Options = Readonly<Record<string, unknown>>;

/** Values that a property of options may have: at the ends of its range, and a text that means nothing. */
function valuesOf({ type, minimum, maximum }: JsonSchema): readonly unknown[] {
  if (type === 'integer' || type === 'number') return [minimum ?? 0, (minimum ?? 0) + 1, maximum ?? 100];
  return type === 'string' ? ['No/Such Thing', 'Another, one'] : [];
}

/** The options of a column that says nothing, and with each of them set to something else. */
function optionsOf({ options }: ColumnTypeDefinition): readonly Options[] {
  if (options === undefined) return [{}];
  const others = Object.entries(options.schema.properties ?? {}).flatMap(([name, property]) =>
    valuesOf(property).map((value) => ({ ...options.defaults, [name]: value })),
  );
  return [options.defaults, ...others];
}

/** Everything that a type says against options, inputs and values. */
function refusalsOf(type: ColumnTypeDefinition): readonly Refusal[] {
  const hostile = [
    ...(type.invalid ?? []),
    nested(150),
    Array.from({ length: 101 }, () => ({ url: 'https://a.example/b' })),
  ];
  return optionsOf(type)
    .flatMap((options): readonly (Refusal | undefined)[] => {
      const column: ColumnContext = { id: 'a', title: 'A', required: false, storage: type.storage, options };
      const said = [...type.examples.map(({ input }) => input), ...hostile].map((input) => {
        const read = type.parse(input, column);
        if (!read.ok) return read;
        return read.value === null ? undefined : type.validate?.(read.value, column);
      });
      return [type.checkOptions?.(options), ...said];
    })
    .filter((refusal) => refusal !== undefined);
}

function nested(depth: number): unknown {
  return depth === 0 ? 1 : [nested(depth - 1)];
}

describe.each(types.map((type) => [type.id, type] as const))(
  'what a column of type %s refuses',
  (_, type) => {
    test('is said in German too, with the numbers and names in it as params of one text', () => {
      const untranslated = refusalsOf(type).filter(({ message }) => !Object.hasOwn(german, message));
      expect(untranslated).toEqual([]);
    });

    test('reads as a whole text in English', () => {
      for (const refusal of refusalsOf(type)) expect(refusalText(refusal)).not.toMatch(/\{\{|\}\}/);
    });
  },
);
