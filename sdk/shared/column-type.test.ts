import { expect, test } from '@jest/globals';
import { defineColumnType, type ColumnTypeDefinition } from './column-type.ts';

interface LevelOptions {
  readonly max: number;
}

test('a type whose options are an interface is what registries take', () => {
  const level = defineColumnType<number, LevelOptions>({
    id: 'AcmeLevel',
    label: 'Level',
    icon: 'chart-bar',
    storage: 'integer',
    accepts: ['integer'],
    fallback: 'Number',
    operators: [],
    options: {
      schema: { type: 'object', properties: { max: { type: 'integer' } } },
      defaults: { max: 5 },
    },
    parse: (input, { options: { max } }) => ({ ok: true, value: Math.min(Number(input), max) }),
    format: String,
    examples: [],
  });
  // The types are the test: it does not compile where the interface is kept.
  const registered: ColumnTypeDefinition = level;
  expect(registered.options?.defaults).toEqual({ max: 5 });
});
