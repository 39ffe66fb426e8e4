import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { jsonRowWriter } from './json-rows.ts';

test('A row written as JSON reads back as the same cells, whatever the keys and the texts are', () => {
  const cell = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.integer(),
    fc.double({ noNaN: true }),
    fc.constant(null),
  );
  fc.assert(
    fc.property(fc.uniqueArray(fc.tuple(fc.string(), cell), { selector: ([key]) => key }), (cells) => {
      const write = jsonRowWriter(cells.map(([key]) => ({ key, as: 'plain' })));
      const expected = JSON.parse(JSON.stringify(Object.fromEntries(cells))) as object;
      expect(JSON.parse(write(cells.map(([, value]) => value)))).toEqual(expected);
    }),
  );
});

test('Booleans, JSON, digits and bytes are written as what they stand for', () => {
  const write = jsonRowWriter([
    { key: 'yes', as: 'boolean' },
    { key: 'no', as: 'boolean' },
    { key: 'nothing', as: 'boolean' },
    { key: 'json', as: 'json' },
    { key: 'digits', as: 'text' },
    { key: 'bytes', as: 'base64' },
  ]);
  expect(write([1, 0, null, '{"a": [1.10]}', 12, new Uint8Array([1, 2, 3])])).toBe(
    '{"yes":true,"no":false,"nothing":null,"json":{"a": [1.10]},"digits":"12","bytes":"AQID"}',
  );
});
