import { describe, expect, test } from '@jest/globals';
import { change, openRows, place, type Server } from '../../testing/rows-bench.ts';
import { ApiError } from '../api.ts';
import type { Translate } from '../context.ts';
import { RowsClient } from './rows-client.ts';
import { takeBack, undoOffer } from './rows-in-sight.ts';
import type { EditStep } from './edit-step.ts';

describe('what can be taken back', () => {
  test('is kept when the answer was lost, and goes when it was refused for good', async () => {
    const { server, client } = openRows();
    await client.write([change('1', 'a')]);
    server.write = () => {
      throw new ApiError(0, 'no connection');
    };
    await expect(client.undo('undo')).rejects.toThrow('no connection');
    server.write = () => {
      throw new ApiError(409, 'changed meanwhile');
    };
    await expect(client.undo('undo')).rejects.toThrow('changed meanwhile');
    expect(await client.undo('undo')).toBe(false);
  });

  test('outlives a reload of the page', async () => {
    const { server, client, undo } = openRows();
    await client.write([change('1', 'a')]);
    const again = new RowsClient(server, undo(), place());
    expect(await again.undo('undo')).toBe(true);
    expect(server.requests.at(-1)?.path).toBe('/api/v1/db/data/operations/p_1/op1/undo');
    expect(await again.undo('redo')).toBe(true);
  });

  test('is taken back one after the other, however fast it is asked for', async () => {
    const { server, client } = openRows();
    await client.write([change('1', 'a')]);
    await client.write([change('1', 'b')]);
    await Promise.all([client.undo('undo'), client.undo('undo')]);
    const paths = server.requests.filter(({ path }) => path.includes('operations')).map(({ path }) => path);
    expect(paths.map((path) => path.split('/').at(-2))).toEqual(['op2', 'op1']);
  });

  const undone = (server: Server): readonly string[] =>
    server.requests
      .filter(({ path }) => path.includes('operations'))
      .map(({ path }) => path.split('/').at(-2) ?? '');

  test('is all that one step did: what it changed, what it added, and the marks that it left', async () => {
    const { server, client } = openRows();
    const paste: EditStep = { kind: 'paste', count: 3 };
    await client.write([change('1', 'before')]);
    server.write = () => [{ Id: 251 }];
    await Promise.all([
      client.write([change('1', 'a')], paste),
      client.insertMany([{ cl_name: 'b' }], paste),
    ]);
    client.edits.fail([{ rowKey: '251', columnId: 'cl_name', text: 'junk', message: 'No' }], paste);
    expect(client.nextStep('undo')).toEqual({ kind: 'paste', count: 3 });

    expect(await client.undo('undo')).toBe(true);
    expect(undone(server)).toEqual(['op3', 'op2']);
    expect(client.edits.hasAny).toBe(false);
    expect(client.nextStep('undo')?.kind).toBe('edit');

    expect(client.nextStep('redo')).toEqual(paste);
    expect(await client.undo('redo')).toBe(true);
    expect(undone(server).slice(2)).toEqual(['op5', 'op4']);
  });

  test('takes what was made around the rows back after them, and makes it again before them', async () => {
    const { server, client } = openRows();
    const paste: EditStep = { kind: 'paste', count: 1 };
    const order: string[] = [];
    const noted = (name: string) => () => {
      order.push(`${name} after ${undone(server).length}`);
      return Promise.resolve();
    };
    client.prepared(paste, { undo: noted('undo'), redo: noted('redo') });
    await client.write([change('1', 'a')], paste);
    await client.undo('undo');
    await client.undo('redo');
    await client.undo('undo');
    expect(order).toEqual(['undo after 1', 'redo after 1', 'undo after 3']);
  });

  test('says after a reload that what was made around the rows for it stays', async () => {
    const { server, client, undo } = openRows();
    const paste: EditStep = { kind: 'paste', count: 1 };
    await client.write([change('1', 'a')]);
    client.prepared(paste, { undo: () => Promise.resolve(), redo: () => Promise.resolve() });
    await client.write([change('1', 'b')], paste);
    expect(client.leavesBehind(paste)).toBe(false);

    const toasts: string[] = [];
    const host = {
      t: ((text: string) => text) as Translate,
      toast: ({ summary }: { readonly summary: string }) => void toasts.push(summary),
    };
    // Twice: what is known of the first reload is known at the second one.
    for (const turn of ['first', 'second']) {
      const again = new RowsClient(server, undo(), place());
      await takeBack(again, 'undo', host);
      expect([turn, ...toasts.splice(0)]).toEqual([
        turn,
        'Options of a list that were made for it stay, since the page was loaded again.',
      ]);
      if (turn === 'first') await takeBack(again, 'redo', host);
    }
    const last = new RowsClient(server, undo(), place());
    await takeBack(last, 'undo', host);
    expect(toasts).toEqual([]);
    expect(undone(server)).toEqual(['op2', 'op3', 'op4', 'op1']);
  });

  test.each(['by the command', 'by the offer of a toast'])(
    'says how many rows stay away since what they held was deleted for good (%s)',
    async (way) => {
      const { server, client } = openRows();
      const deletion: EditStep = { kind: 'delete', count: 3 };
      await client.delete(['1', '2', '3'], deletion);
      server.write = () => ({ rows: 1, purged: 2 });
      const told = new Promise<string>((resolve, reject) => {
        const host = {
          t: ((text: string, params: { readonly count?: number } = {}) =>
            [text, params.count].join(' ')) as Translate,
          toast: ({ summary }: { readonly summary: string }) => resolve(summary),
        };
        if (way === 'by the command') takeBack(client, 'undo', host).catch(reject);
        else undoOffer(client, deletion, host).run();
      });
      expect(await told).toBe('{{count}} rows stay away: what they held was deleted for good. 2');
      expect(client.purgedOf(deletion)).toBe(2);
    },
  );

  test('is not done again, and no longer offered, where what it needs is refused', async () => {
    const { server, client } = openRows();
    const paste: EditStep = { kind: 'paste', count: 1 };
    const redo = () => Promise.reject(new ApiError(403, 'not allowed'));
    client.prepared(paste, { undo: () => Promise.resolve(), redo });
    await client.write([change('1', 'a')], paste);
    await client.undo('undo');
    await expect(client.undo('redo')).rejects.toThrow('not allowed');
    expect([undone(server).length, client.nextStep('redo')]).toEqual([1, undefined]);
  });

  test('is what was not taken, too, as long as it is to be seen', async () => {
    const { server, client } = openRows();
    const junk = { rowKey: '1', columnId: 'cl_name', text: 'junk', message: 'No' };
    await client.write([change('1', 'a')]);
    client.edits.fail([junk], { kind: 'edit', count: 1 });
    expect(await client.undo('undo')).toBe(true);
    expect([client.edits.hasAny, undone(server)]).toEqual([false, []]);

    client.edits.fail([junk], { kind: 'edit', count: 1 });
    client.edits.discard('1', 'cl_name');
    expect(await client.undo('undo')).toBe(true);
    expect(undone(server)).toEqual(['op1']);
  });

  test('is what is still on its way, not what came before it', async () => {
    const { server, client } = openRows();
    await client.write([change('1', 'a')]);
    const writing = client.write([change('1', 'b')]);
    expect(await client.undo('undo')).toBe(true);
    await writing;
    expect(undone(server)).toEqual(['op2']);
  });

  test('is one step, however often it is asked for while a write is on its way', async () => {
    const { server, client } = openRows();
    await client.write([change('1', 'a')]);
    await client.write([change('1', 'b')]);
    const writing = client.write([change('1', 'c')]);
    const answers = await Promise.all([client.undo('undo'), client.undo('undo'), client.undo('undo')]);
    await writing;
    expect(answers).toEqual([true, true, true]);
    expect(undone(server)).toEqual(['op3']);
    expect(await client.undo('undo')).toBe(true);
    expect(undone(server)).toEqual(['op3', 'op2']);
  });

  test('can be one step and no other: it stays where another came after it', async () => {
    const { server, client } = openRows();
    const deletion: EditStep = { kind: 'delete', count: 1 };
    await client.delete(['7'], deletion);
    await client.write([change('1', 'a')]);
    expect(await client.undo('undo', deletion)).toBe(false);
    expect(undone(server)).toEqual([]);
    await client.undo('undo');
    expect(await client.undo('undo', deletion)).toBe(true);
    expect(undone(server)).toEqual(['op2', 'op1']);
  });

  test('stays in part when a part of it was refused', async () => {
    const { server, client } = openRows();
    const paste: EditStep = { kind: 'paste', count: 2 };
    await client.write([change('1', 'a')], paste);
    await client.write([change('2', 'b')], paste);
    server.write = ({ path }) => {
      if (path.includes('op2')) throw new ApiError(409, 'changed meanwhile');
      return {};
    };
    await expect(client.undo('undo')).rejects.toThrow('changed meanwhile');
    expect(client.nextStep('undo')).toEqual(paste);
    expect(await client.undo('undo')).toBe(true);
    expect(client.nextStep('undo')).toBeUndefined();
  });
});
