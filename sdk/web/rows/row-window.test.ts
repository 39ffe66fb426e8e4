import { describe, expect, test } from '@jest/globals';
import type { RowData } from './row-source.ts';
import { RowWindow, type RowWindowOptions } from './row-window.ts';

interface Request {
  readonly start: number;
  readonly signal: AbortSignal;
  readonly answer: (rows?: number) => void;
  readonly fail: (message: string) => void;
}

/** A window of 10 rows a page over requests that the test answers. */
function slowWindow(options: Partial<RowWindowOptions> = {}): { rows: RowWindow; requests: Request[] } {
  const requests: Request[] = [];
  const rows = new RowWindow({
    pageSize: 10,
    loadRows: (start, limit, signal) =>
      new Promise((resolve, reject) => {
        requests.push({
          start,
          signal,
          answer: (count = limit) => resolve(makePage(start, count)),
          fail: (message) => reject(new Error(message)),
        });
      }),
    ...options,
  });
  return { rows, requests };
}

function makePage(start: number, count: number): RowData[] {
  return Array.from({ length: count }, (_, at) => ({ key: `k${start + at}`, values: { n: start + at } }));
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('rows in pages', () => {
  test('are fetched where they are in sight, once', async () => {
    const { rows, requests } = slowWindow();
    rows.ensure(15, 35);
    rows.ensure(15, 35);
    expect(requests.map((request) => request.start)).toEqual([10, 20, 30]);
    requests[0]?.answer();
    await turn();
    expect(rows.rowAt(12)?.key).toBe('k12');
    expect(rows.rowAt(22)).toBeUndefined();
  });

  test('move up at once where others are deleted, so that no count cuts off the wrong ones', async () => {
    const { rows, requests } = slowWindow({ countRows: () => Promise.resolve(6) });
    rows.ensure(0, 10);
    requests[0]?.answer(6);
    await turn();
    const shown = () => Array.from({ length: rows.count ?? 0 }, (_, at) => rows.rowAt(at)?.key);
    rows.remove(['k0', 'k1']);
    expect(shown()).toEqual(['k2', 'k3', 'k4', 'k5']);
    rows.refresh();
    expect(shown()).toEqual(['k2', 'k3', 'k4', 'k5']);
  });

  test('that were deleted elsewhere are known to be, once they are not shown any more, and no others are', async () => {
    const { rows, requests } = slowWindow();
    rows.ensure(0, 10);
    requests[0]?.answer(2);
    await turn();
    rows.noteDeleted(['k0', 'k9']);
    expect(rows.wasDeleted('k0')).toBe(false);
    rows.remove(['k0', 'k1']);
    expect(['k0', 'k1', 'k9'].map((key) => rows.wasDeleted(key))).toEqual([true, true, false]);
    rows.insert({ key: 'k0', values: {} }, 0);
    rows.rearrange();
    expect(rows.wasDeleted('k0')).toBe(false);
  });

  test('whose deletion is taken back elsewhere are not held for deleted any more, seen or not', async () => {
    const { rows, requests } = slowWindow();
    const reread = async (count: number) => {
      rows.refresh();
      requests.at(-1)?.answer(count);
      await turn();
    };
    rows.ensure(0, 10);
    requests[0]?.answer(3);
    await turn();
    rows.refresh();
    rows.noteDeleted(['k1', 'k2']);
    // Asked for before they were deleted: it tells nothing.
    requests[1]?.answer(3);
    await turn();
    await reread(1);
    expect(['k1', 'k2'].map((key) => rows.wasDeleted(key))).toEqual([true, true]);
    rows.noteInserted('k2');
    expect(['k1', 'k2'].map((key) => rows.wasDeleted(key))).toEqual([true, false]);
    await reread(2);
    await reread(1);
    expect(rows.wasDeleted('k1')).toBe(false);
  });

  test('that were deleted do not come back with an answer that was on its way', async () => {
    const { rows, requests } = slowWindow();
    rows.ensure(0, 10);
    requests[0]?.answer(6);
    await turn();
    rows.refresh();
    rows.ensure(0, 10);
    rows.remove(['k0']);
    requests[1]?.answer(6);
    await turn();
    expect([rows.rowAt(0)?.key, rows.count]).toEqual(['k1', 5]);
    expect(requests).toHaveLength(3);
  });

  test('come up also while others are deleted all the time, each while an answer is on its way', async () => {
    const answers: ((rows: readonly RowData[]) => void)[] = [];
    const loadRows = () => new Promise<readonly RowData[]>((resolve) => void answers.push(resolve));
    const { rows } = slowWindow({ loadRows });
    rows.ensure(0, 10);
    answers[0]?.(makePage(0, 10));
    await turn();
    rows.remove(['k0', 'k1', 'k2']);
    rows.refresh();
    rows.remove(['k3']);
    answers[1]?.(makePage(3, 10));
    await turn();
    const shown = Array.from({ length: 10 }, (_, at) => rows.rowAt(at)?.key);
    expect(shown).toEqual([...makePage(4, 9).map(({ key }) => key), undefined]);
    expect(answers).toHaveLength(3);
    answers[2]?.(makePage(4, 10));
    await turn();
    expect(rows.rowAt(9)?.key).toBe('k13');
  });

  test('are given up when they went out of sight before they came', async () => {
    const { rows, requests } = slowWindow();
    rows.ensure(0, 10);
    rows.ensure(500, 510);
    expect(requests[0]?.signal.aborted).toBe(true);
    requests[0]?.answer();
    await turn();
    expect(rows.rowAt(0)).toBeUndefined();
  });

  test('are shown before anybody knows how many there are', async () => {
    const { rows, requests } = slowWindow({ countRows: () => new Promise(() => {}) });
    rows.ensure(0, 10);
    requests[0]?.answer();
    await turn();
    expect(rows.count).toBeUndefined();
    expect(rows.atLeast).toBe(10);
    expect(rows.rowAt(3)?.key).toBe('k3');
  });

  test('that could not be counted say why until they are, however often they are counted again meanwhile', async () => {
    const counts: { answer(count: number): void; fail(): void }[] = [];
    const countRows = () =>
      new Promise<number>((answer, reject) => {
        counts.push({ answer, fail: () => reject(new Error('It takes too long.')) });
      });
    const { rows, requests } = slowWindow({ countRows });
    rows.ensure(0, 10);
    requests[0]?.answer();
    counts[0]?.fail();
    await turn();
    expect(rows.countError?.message).toBe('It takes too long.');
    rows.refresh();
    await turn();
    expect(counts).toHaveLength(2);
    expect(rows.countError?.message).toBe('It takes too long.');
    counts[1]?.answer(25);
    await turn();
    expect([rows.count, rows.countError]).toEqual([25, undefined]);
  });

  test.each([
    ['one after the other', [0, 1, 2, 3, 4]],
    ['the last ones first', [4, 3, 2, 1, 0]],
  ])('that nobody can count end before the empty pages that were read beyond them: %s', async (_, order) => {
    const { rows, requests } = slowWindow({ countRows: () => Promise.reject(new Error('Too slow')) });
    rows.ensure(0, 50);
    await turn();
    for (const page of order) {
      requests[page]?.answer(page < 2 ? 10 : 0);
      await turn();
    }
    expect([rows.count, rows.countError]).toEqual([20, undefined]);
  });

  test('end where a page is short', async () => {
    const { rows, requests } = slowWindow();
    rows.ensure(0, 10);
    requests[0]?.answer(4);
    await turn();
    expect(rows.count).toBe(4);
  });

  test('an empty table is known to be empty', async () => {
    const { rows, requests } = slowWindow();
    rows.ensure(0, 1);
    requests[0]?.answer(0);
    await turn();
    expect(rows.count).toBe(0);
  });

  test('are dropped when they were read longest ago, never while in sight', async () => {
    const { rows, requests } = slowWindow({ keptPages: 2 });
    for (const start of [0, 10, 20]) {
      rows.ensure(start, start + 10);
      requests.at(-1)?.answer();
      await turn();
    }
    expect(rows.rowAt(0)).toBeUndefined();
    expect(rows.rowAt(10)).toBeDefined();
    expect(rows.rowAt(25)).toBeDefined();
  });

  test('that failed are not asked for again until somebody says so', async () => {
    const { rows, requests } = slowWindow();
    rows.ensure(0, 10);
    requests[0]?.fail('offline');
    await turn();
    expect(rows.error?.message).toBe('offline');
    rows.ensure(0, 10);
    expect(requests).toHaveLength(1);
    rows.retry();
    expect(rows.error).toBeUndefined();
    requests[1]?.answer();
    await turn();
    expect(rows.rowAt(0)).toBeDefined();
  });

  test('stay in sight while they are asked for again', async () => {
    const { rows, requests } = slowWindow();
    rows.ensure(0, 10);
    requests[0]?.answer();
    await turn();
    rows.refresh();
    expect(rows.rowAt(0)).toBeDefined();
    expect(requests).toHaveLength(2);
    requests[1]?.answer(3);
    await turn();
    expect(rows.count).toBe(3);
    expect(rows.rowAt(5)).toBeUndefined();
  });

  test('are asked for once more where they were to be read again while they were on their way', async () => {
    const { rows, requests } = slowWindow();
    rows.ensure(0, 10);
    rows.refresh();
    requests[0]?.answer();
    await turn();
    expect(requests.map(({ start }) => start)).toEqual([0, 0]);
    requests[1]?.answer(4);
    await turn();
    expect(rows.rowAt(4)).toBeUndefined();
    expect(requests).toHaveLength(2);
  });

  test('a new full page after the known end makes room for more', async () => {
    const { rows, requests } = slowWindow();
    rows.ensure(0, 10);
    requests[0]?.answer(9);
    await turn();
    expect(rows.count).toBe(9);
    rows.refresh();
    requests[1]?.answer(10);
    await turn();
    expect(rows.count).toBeUndefined();
    expect(rows.atLeast).toBe(10);
  });

  test('that somebody waits for are not given up by scrolling away', async () => {
    const { rows, requests } = slowWindow();
    const loaded = rows.load(0, 20);
    rows.ensure(500, 510);
    requests[0]?.answer();
    requests[1]?.answer();
    await loaded;
    expect(rows.rowAt(19)).toBeDefined();
  });

  test('waiting for rows that cannot be had is refused with the reason', async () => {
    const { rows, requests } = slowWindow();
    const loaded = rows.load(0, 10);
    requests[0]?.fail('offline');
    await expect(loaded).rejects.toThrow('offline');
  });

  test('are found by their key while they are held', async () => {
    const { rows, requests } = slowWindow();
    rows.ensure(10, 20);
    requests[0]?.answer();
    await turn();
    expect(rows.indexOf('k13')).toBe(13);
    expect(rows.indexOf('k3')).toBeUndefined();
  });

  test('take a new value in place', async () => {
    const { rows, requests } = slowWindow();
    rows.ensure(0, 10);
    requests[0]?.answer();
    await turn();
    const before = rows.version;
    rows.patchRows(new Map([['k2', { n: 'new' }]]));
    expect(rows.rowAt(2)?.values.n).toBe('new');
    expect(rows.version).toBe(before + 1);
  });
});
