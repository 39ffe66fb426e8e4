import { setImmediate } from 'node:timers/promises';
import { expect, jest, test } from '@jest/globals';
import { createGenerations } from '../../metadata/generations.ts';
import { describeEachMetadata } from '../../metadata/testing.ts';
import { RestoringTurn } from './restoring-turn.ts';

/** Its id is as long as one may be. */
const plugin = { id: 'acme'.padEnd(60, '-more'), name: 'Acme' };

describeEachMetadata('the data of a plugin, while a server puts it back', (open) => {
  /** Two servers that run, and what became of them. */
  async function start() {
    const database = await open();
    const generations = createGenerations(database, { every: 0 });
    const ended = new Set<string>();
    const { signal } = new AbortController();
    // Ids are as long as those of servers may be.
    const [here, there] = ['here', 'there'].map((name) => {
      const id = name.padEnd(60, '.');
      const servers = { id, endedOf: async (ids: readonly string[]) => ids.filter((of) => ended.has(of)) };
      return new RestoringTurn({
        metadata: { database, generations },
        servers,
        ending: signal,
      });
    });
    if (here === undefined || there === undefined) throw new Error('There are two servers.');
    return { database, generations, here, there, ended, signal };
  }

  test('is read by no other one that begins to run it, before it is back', async () => {
    const { here, there, signal } = await start();
    const steps: string[] = [];
    const beginning: Promise<unknown>[] = [];
    await here.take(plugin, async () => {
      beginning.push(there.begin(plugin.id, signal).then(() => steps.push('begun')));
      // Another plugin is nobody's to wait for.
      await there.begin('other', signal);
      steps.push('back');
    });
    await Promise.all(beginning);
    expect(steps).toEqual(['back', 'begun']);
  });

  test('is put back once the others have stopped running it, and no other one is waited for that was killed', async () => {
    const { here, there, ended, signal } = await start();
    const steps: string[] = [];
    await there.begin(plugin.id, signal);
    const taking = here.take(plugin, async () => void steps.push('back'));
    while ((await there.elsewhere()) === undefined) await setImmediate();
    await expect(there.take(plugin, async () => undefined)).rejects.toMatchObject({
      code: 'PLUGIN_DATA_BUSY',
    });
    steps.push('stopped');
    await there.ended(plugin.id);
    await taking;
    await there.begin(plugin.id, signal);
    ended.add('there'.padEnd(60, '.'));
    await here.take(plugin, async () => void steps.push('once more'));
    expect(steps).toEqual(['stopped', 'back', 'once more']);
  });

  test('keeps nobody back for longer than the database is away when it is done', async () => {
    const { database, here, there, signal } = await start();
    const write = jest.spyOn(database, 'write');
    await here.take(plugin, async () => {
      write.mockRejectedValue(new Error('away'));
    });
    expect(await there.elsewhere()).toBe(plugin.id);
    const again = here.take(plugin, async () => 'once more');
    write.mockRestore();
    await there.isOver(plugin.id, signal);
    expect(await again).toBe('once more');
    expect(await there.elsewhere()).toBeUndefined();
  });

  test('is put back in peace by another server, though the one before could tell nobody that its turn was over', async () => {
    const { generations, here, there } = await start();
    const tell = jest.spyOn(generations, 'bump');
    await here.take(plugin, async () => {
      tell.mockRejectedValueOnce(new Error('away'));
    });
    const told = tell.mock.calls.length;
    await there.take(plugin, async () => {
      // Once by the other server as it begins, and once more by the first one.
      while (tell.mock.calls.length < told + 2) await setImmediate();
      expect(await here.elsewhere()).toBe(plugin.id);
    });
    tell.mockRestore();
    expect(await here.elsewhere()).toBeUndefined();
  });

  test('keeps nobody back that stops', async () => {
    const { here, there } = await start();
    const ending = new AbortController();
    await here.take(plugin, async () => {
      const beginning = there.begin(plugin.id, ending.signal);
      ending.abort();
      await beginning;
    });
    expect(await there.elsewhere()).toBeUndefined();
  });
});
