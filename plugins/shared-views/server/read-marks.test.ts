import { afterEach, expect, jest, test } from '@jest/globals';
import type { RouteAnswer } from '@trellis/sdk/server';
import { ReadMarks } from './read-marks.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

/** Rows that are read by a link, and how often they were. */
function reading() {
  const marks = new ReadMarks();
  const of = { rows: ['Ada'] as readonly string[], reads: 0 };
  const answer = (mark: string | undefined, asked: string | undefined): Promise<RouteAnswer> =>
    marks.answer({ headers: { 'if-none-match': mark } }, asked, async () => {
      of.reads += 1;
      return of.rows;
    });
  return { of, answer, ask: (mark?: string) => answer(mark, 'rows of a link') };
}

const textOf = ({ body }: RouteAnswer) => Buffer.from(body as Uint8Array).toString();

test('an answer is sent with a mark, and by the mark only once it is another one', async () => {
  const { of, ask } = reading();
  const first = await ask();
  expect([first.status, textOf(first)]).toEqual([200, '["Ada"]']);
  const mark = first.headers.etag;
  expect(await ask(mark)).toMatchObject({ status: 304, body: '', headers: { etag: mark } });
  expect(await ask('W/"another"')).toMatchObject({ status: 200, headers: { etag: mark } });
  of.rows = ['Grace'];
  // Whoever asks without a mark is told what is there now.
  const now = await ask();
  expect([textOf(now), now.headers.etag === mark]).toEqual(['["Grace"]', false]);
});

test('however many ask by the mark of an answer, it is read once in a while, whatever is written meanwhile', async () => {
  const { of, ask } = reading();
  let now = Date.now();
  jest.spyOn(Date, 'now').mockImplementation(() => now);
  const mark = (await ask()).headers.etag;
  of.rows = ['Grace'];
  for (let visitor = 0; visitor < 100; visitor += 1) expect(await ask(mark)).toMatchObject({ status: 304 });
  expect(of.reads).toBe(1);
  now += 15_001;
  expect(textOf(await ask(mark))).toBe('["Grace"]');
  of.rows = ['Ada'];
  // Known again from now on, as the newer one is not.
  now += 15_001;
  expect(await ask(mark)).toMatchObject({ status: 304 });
  expect(of.reads).toBe(3);
});

test('an answer that is not the same for everybody is read each time', async () => {
  const { of, answer } = reading();
  const mark = (await answer(undefined, undefined)).headers.etag;
  expect(await answer(mark, undefined)).toMatchObject({ status: 304 });
  expect(of.reads).toBe(2);
});
