import { describe, expect, test } from '@jest/globals';
import type { Change, ColumnSchema, TableSchema } from '@trellis/sdk/server';
import { seeArrived } from './arrived-files.ts';

describe('what a write tells of files', () => {
  const write = (types: readonly string[]) => {
    let asked = 0;
    const seen: (readonly string[])[] = [];
    const columns = types.map((type, at) => ({ id: `c${at}`, type })) as unknown as readonly ColumnSchema[];
    const change = { projectId: 'p_1', after: { c0: [{ url: 'files/f_1/a.png' }] } } as unknown as Change;
    const written = {
      table: { columns } as TableSchema,
      get changes() {
        asked += 1;
        return [change];
      },
    };
    const store = {
      see(ids: readonly string[]) {
        seen.push(ids);
        return Promise.resolve();
      },
    };
    return { done: seeArrived(store, written), seen, asked: () => asked };
  };

  test('a table without files is not asked for its changes, which are made for whoever asks', async () => {
    const { done, asked, seen } = write(['SingleLineText', 'Number']);
    await done;
    expect(asked()).toBe(0);
    expect(seen).toEqual([]);
  });

  test('of a table with files all are seen, and the changes asked for once', async () => {
    const { done, asked, seen } = write(['Attachment']);
    await done;
    expect(asked()).toBe(1);
    expect(seen).toHaveLength(1);
  });
});
