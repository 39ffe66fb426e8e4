import { expect, test } from '@jest/globals';
import { defineErrors, Registry } from '@trellis/core';
import type { ChangeMark, RouteRequest } from '@trellis/sdk/server';
import { CallMarks } from './call-marks.ts';

const errors = defineErrors({ REFUSED: { status: 403, message: 'Not like this.' } });
const call = (headers: Readonly<Record<string, string>>) =>
  ({ headers, query: {} }) as unknown as Pick<RouteRequest, 'headers' | 'query' | 'scope'>;

function start(...items: readonly ChangeMark[]) {
  const changeMarks = new Registry<ChangeMark>({ id: 'changeMarks', absentPolicy: 'nothing' });
  for (const item of items) changeMarks.register(item, 'plugin');
  const reported: string[] = [];
  const report = (owner: string, where: string) => void reported.push(`${owner}: ${where}`);
  return { marks: new CallMarks({ changeMarks, errors: { report } }), reported };
}

test('what plugins keep with the changes of a call is known while the call runs, and of that call alone', () => {
  const { marks } = start({ id: 'cause', read: ({ headers }) => headers['x-cause'] });
  const forget = marks.begin('r1', call({ 'x-cause': 'because' }));
  marks.begin('r2', call({}));
  expect([marks.of('r1'), marks.of('r2'), marks.of('r3')]).toEqual([
    { cause: 'because' },
    undefined,
    undefined,
  ]);
  forget();
  expect(marks.of('r1')).toBeUndefined();
});

test('what is kept with the changes of work that no call began is known until that is over', () => {
  const { marks } = start();
  const held = marks.hold('automation:a:b', 'chain', 'hk.au');
  expect(marks.of('automation:a:b')).toEqual({ chain: 'hk.au' });
  void held.dispose();
  expect(marks.of('automation:a:b')).toBeUndefined();
});

test('a mark may refuse a call; one that fails is reported with its plugin and keeps nothing', () => {
  const broken: ChangeMark = {
    id: 'broken',
    read() {
      throw new Error('A defect.');
    },
  };
  const { marks, reported } = start(broken, {
    id: 'strict',
    read({ headers }) {
      if (headers['x-bad'] !== undefined) throw errors.create('REFUSED');
      return 'x'.repeat(2000);
    },
  });
  marks.begin('r1', call({}));
  expect(marks.of('r1')).toEqual({ strict: 'x'.repeat(1000) });
  expect(reported).toEqual(['plugin: change mark broken']);
  expect(() => marks.begin('r2', call({ 'x-bad': '1' }))).toThrow('Not like this.');
  expect(marks.of('r2')).toBeUndefined();
});
