import { describe, expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { formats } from './formats.ts';
import type { JsonSchema } from './json-schema.ts';
import { validateSchema } from './validate-schema.ts';

// The draft-07 build: the bookkeeping of 2020-12's 'unevaluated' makes ajv 8.20 throw on some schemas of this subset,
// which does not have it.
const ajv = new Ajv({ strict: false, allErrors: true, addUsedSchema: false });
for (const [name, validate] of Object.entries(formats)) ajv.addFormat(name, { type: 'string', validate });

const keys = fc.constantFrom('a', 'b', 'x1', 'x2');
const scalar = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    1,
    1.5,
    -3,
    12,
    '',
    'a',
    'ab',
    'x1',
    'é😀',
    '2024-02-30',
    '2024-02-29',
  ),
  fc.integer({ min: -5, max: 15 }),
);
function valueOfDepth(depth: number): fc.Arbitrary<unknown> {
  if (depth === 0) return scalar;
  const below = valueOfDepth(depth - 1);
  return fc.oneof(
    scalar,
    fc.array(below, { maxLength: 4 }),
    fc.dictionary(keys, below, { maxKeys: 3, noNullPrototype: true }),
  );
}

const small = fc.integer({ min: 0, max: 4 });
const types = fc.constantFrom('object', 'array', 'string', 'number', 'integer', 'boolean', 'null');
const flatKeywords: Record<string, fc.Arbitrary<unknown>> = {
  type: fc.oneof(types, fc.uniqueArray(types, { minLength: 1, maxLength: 4 })),
  enum: fc.uniqueArray(scalar, { minLength: 1, maxLength: 4 }),
  const: scalar,
  minLength: small,
  maxLength: small,
  pattern: fc.constantFrom('^a', '[0-9]', '^x\\d$', '.'),
  format: fc.constantFrom('date', 'email', 'secret'),
  minimum: fc.integer({ min: -3, max: 5 }),
  maximum: fc.integer({ min: 0, max: 12 }),
  exclusiveMinimum: fc.integer({ min: -3, max: 5 }),
  exclusiveMaximum: fc.integer({ min: 0, max: 12 }),
  multipleOf: fc.constantFrom(1, 2, 3, 0.5),
  minItems: small,
  maxItems: small,
  uniqueItems: fc.boolean(),
  minProperties: small,
  maxProperties: small,
  required: fc.uniqueArray(keys, { maxLength: 2 }),
  propertyNames: fc.constant<JsonSchema>({ maxLength: 1 }),
};

function nestedKeywords(below: fc.Arbitrary<JsonSchema>): Record<string, fc.Arbitrary<unknown>> {
  const branches = fc.array(below, { minLength: 1, maxLength: 2 });
  return {
    items: below,
    properties: fc.dictionary(keys, below, { maxKeys: 3 }),
    patternProperties: fc.dictionary(fc.constantFrom('^x', '1$'), below, { maxKeys: 2 }),
    additionalProperties: fc.oneof(fc.boolean(), below),
    anyOf: branches,
    oneOf: branches,
    allOf: branches,
    not: below,
  };
}

/** Few keywords at each level, since a schema with many of them refuses everything. */
function schemaOfDepth(depth: number): fc.Arbitrary<JsonSchema> {
  const nested = depth === 0 ? {} : nestedKeywords(schemaOfDepth(depth - 1));
  const keywords = Object.entries({ ...flatKeywords, ...nested }).map(([keyword, argument]) =>
    argument.map((chosen): [string, unknown] => [keyword, chosen]),
  );
  return fc
    .array(fc.oneof(...keywords), { minLength: 1, maxLength: 3 })
    .map((chosen) => Object.fromEntries(chosen));
}

describe('the interpreting validator', () => {
  test('agrees with ajv on every schema of the subset', () => {
    const outcomes = { valid: 0, invalid: 0 };
    fc.assert(
      fc.property(schemaOfDepth(2), valueOfDepth(2), (someSchema, someValue) => {
        const expected = ajv.validate(someSchema, someValue);
        outcomes[expected ? 'valid' : 'invalid'] += 1;
        expect(validateSchema(someSchema, someValue).length === 0).toBe(expected);
      }),
      { numRuns: 400 },
    );
    expect(Math.min(outcomes.valid, outcomes.invalid)).toBeGreaterThan(20);
  });

  test('reports all problems, each with a JSON pointer', () => {
    const problems = validateSchema(
      { properties: { 'a/b': { type: 'array', items: { type: 'integer', minimum: 2 } } } },
      { 'a/b': [1, 'x', 3, 1.5] },
    );
    expect(problems.map(({ path, keyword }) => [path, keyword])).toEqual([
      ['/a~1b/0', 'minimum'],
      ['/a~1b/1', 'type'],
      ['/a~1b/3', 'type'],
    ]);
  });

  test('treats NaN and infinity as no numbers, and undefined as absent', () => {
    expect(validateSchema({ type: 'number' }, Number.NaN)).toHaveLength(1);
    expect(validateSchema({ type: 'number' }, Infinity)).toHaveLength(1);
    expect(validateSchema({ required: ['a'], additionalProperties: false }, { a: undefined })).toHaveLength(
      1,
    );
    expect(validateSchema({ additionalProperties: false }, { a: undefined })).toEqual([]);
  });

  test('knows what a date is', () => {
    const isDate = (text: string) => validateSchema({ format: 'date' }, text).length === 0;
    expect(['2024-02-29', '2000-02-29', '2023-12-31'].filter(isDate)).toHaveLength(3);
    expect(['2023-02-29', '1900-02-29', '2023-13-01', '2023-04-31', '2023-1-1', ''].filter(isDate)).toEqual(
      [],
    );
    expect(validateSchema({ format: 'date-time' }, '2024-02-29T23:59:59Z')).toEqual([]);
    expect(validateSchema({ format: 'date-time' }, '2024-02-30T23:59:59Z')).toHaveLength(1);
  });
});
