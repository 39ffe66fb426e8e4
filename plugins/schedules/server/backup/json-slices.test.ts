import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readInSlices, type JsonSlice } from './json-slices.ts';

const options = {
  limits: { values: 1000, keys: 100, depth: 50 },
  slice: { bytes: 1000, values: 100 },
  passed: () => new Error('too much'),
};

async function slicesOf(
  text: string,
  { opened = 2, cuts = [] as readonly number[] } = {},
): Promise<readonly JsonSlice[]> {
  const bytes = Buffer.from(text);
  const places = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)), bytes.length].toSorted(
    (a, b) => a - b,
  );
  const parts = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
  const slices: JsonSlice[] = [];
  await readInSlices(parts, { ...options, opened }, (slice) => void slices.push(slice));
  return slices;
}

/** What slices say together. */
function whole(slices: readonly JsonSlice[]): unknown {
  const root: Record<string, unknown> = {};
  for (const { path, value } of slices) {
    const steps = ['root', ...path.map(String)];
    let at = root;
    for (const step of steps.slice(0, -1)) at = at[step] as Record<string, unknown>;
    at[steps.at(-1) ?? ''] = value;
  }
  return root.root;
}

test('lists and objects are opened as deep as is asked for, and what they hold is told with its path', async () => {
  expect(await slicesOf('{"a":[1,{"b":[2]}],"c":{"d":"e"}}')).toEqual([
    { path: [], value: {} },
    { path: ['a'], value: [] },
    { path: ['a', 0], value: 1 },
    { path: ['a', 1], value: { b: [2] } },
    { path: ['c'], value: {} },
    { path: ['c', 'd'], value: 'e' },
  ]);
});

test('slices are together what JSON.parse reads, however the text is cut into parts and opened', () =>
  fc.assert(
    fc.asyncProperty(
      fc.json(),
      fc.boolean(),
      fc.nat(4),
      fc.array(fc.nat(200), { maxLength: 5 }),
      async (json, isWide, opened, cuts) => {
        fc.pre(!json.includes('__proto__'));
        const text = isWide ? JSON.stringify(JSON.parse(json), undefined, 2) : json;
        expect(whole(await slicesOf(text, { opened, cuts }))).toEqual(JSON.parse(text));
      },
    ),
  ));

test('what is not JSON is refused, wherever it is cut off or wrong', () =>
  fc.assert(
    fc.asyncProperty(
      fc.json(),
      fc.nat(),
      fc.constantFrom('[', ']', '{', '}', ',', ':', '"', 'x', ' '),
      fc.nat(4),
      async (json, at, sign, opened) => {
        const place = at % (json.length + 1);
        const text = json.slice(0, place) + sign + json.slice(place);
        const isJson = (() => {
          try {
            JSON.parse(text);
            return true;
          } catch {
            return false;
          }
        })();
        const read = slicesOf(text, { opened });
        if (isJson) await read;
        else await expect(read).rejects.toThrow(SyntaxError);
      },
    ),
  ));

test.each([
  ['values on the levels that are opened', `[${'1,'.repeat(1000)}1]`],
  ['values in all slices', `[${'[1,2,3,4,5,6,7,8,9],'.repeat(100)}1]`],
  ['values in one slice', `[[[${'1,'.repeat(100)}1]]]`],
  ['bytes in one slice', `["${'x'.repeat(1000)}"]`],
  ['different keys', `[${Array.from({ length: 101 }, (_, at) => `[{"k${at}":1}]`).join()}]`],
])('too many %s are refused', async (_, text) => {
  await expect(slicesOf(text)).rejects.toThrow('too much');
});
