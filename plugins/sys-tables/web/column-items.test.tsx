import { expect, test } from '@jest/globals';
import { aColumn, aProject, aTable } from '@trellis/sdk/testing/web';
import type { ColumnEntity } from '@trellis/sdk/shared';
import type { HostActions, MenuContext } from '@trellis/sdk/web';
import { copyAsValues as item } from './column-items.ts';

const virtual = (asked?: ColumnEntity['asked']): ColumnEntity =>
  aColumn('cl_far', 'Prices', { uidt: 'Lookup', virtual: true, ...(asked && { asked }) });
const decimals = { uidt: 'Decimal', storage: 'decimal', meta: {} } as const;

function contextOf(column: ColumnEntity): MenuContext {
  const table = aTable([aColumn('cl_id', 'Id', { pk: true }), column]);
  return { project: aProject(), table, column } as unknown as MenuContext;
}

/** What the page asks for where the entry is chosen. */
async function askedFor(column: ColumnEntity): Promise<unknown> {
  const context = contextOf(column);
  const asked: unknown[] = [];
  const actions = {
    api: {
      request({ body }: { readonly body: unknown }) {
        asked.push(body);
        const columns = [...(context.table?.columns ?? []), aColumn('cl_new', 'Prices values')];
        return Promise.resolve({ ...context.table, columns });
      },
    },
    t: (text: string) => text,
    toast: () => undefined,
    invalidate: () => undefined,
  } as unknown as HostActions;
  await item.run(context, actions);
  return asked[0];
}

test('Values are copied of computed columns, and neither of links nor of what is typed', () => {
  const isOffered = (column: ColumnEntity) => item.when?.(contextOf(column));
  expect(isOffered(virtual(decimals))).toBe(true);
  expect(isOffered(virtual())).toBe(false);
  expect(isOffered(aColumn('cl_a', 'Price', { uidt: 'Lookup' }))).toBe(false);
});

test('They are kept in a column of their kind, and as a text where a cell holds several', async () => {
  expect(await askedFor(virtual(decimals))).toEqual({ title: 'Prices values', values_as: 'Decimal' });
  expect(await askedFor(virtual({ ...decimals, several: true }))).toMatchObject({ values_as: 'LongText' });
});
