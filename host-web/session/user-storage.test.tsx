import { describe, expect, test } from '@jest/globals';
import { ApiError, type ApiRequest } from '@trellis/sdk/web';
import { SyncedUserStorage } from './user-storage.ts';

/** A server that keeps values, and answers each request when the test says so. */
function createStorage(kept: Record<string, unknown>) {
  const held: { readonly request: ApiRequest; answer(): void; fail(status: number): void }[] = [];
  const timers: (() => void)[] = [];
  const request = (asked: ApiRequest): Promise<never> =>
    new Promise((resolve, reject) => {
      held.push({
        request: asked,
        answer: () => {
          if (asked.method === 'PUT') Object.assign(kept, asked.body);
          resolve({ ...kept } as never);
        },
        fail: (status) => reject(new ApiError(status, 'no')),
      });
    });
  const storage = new SyncedUserStorage({ request } as never, {
    enabled: true,
    onError: () => undefined,
    clock: {
      after: (_milliseconds, run) => {
        timers.push(run);
        return () => undefined;
      },
    },
  });
  const settled = () => new Promise((resolve) => setTimeout(resolve));
  return {
    kept,
    own: storage.of('acme'),
    storage,
    held,
    async next(act: 'answer' | number) {
      const first = held.shift();
      if (act === 'answer') first?.answer();
      else first?.fail(act);
      await settled();
    },
    async passTime() {
      for (const run of timers.splice(0)) run();
      await settled();
    },
  };
}

describe('values of a person', () => {
  test('are not written over by a page that could not read them', async () => {
    const { kept, own, storage, held, next, passTime } = createStorage({ 'acme.open': ['a', 'b'] });
    const loading = storage.load();
    await next(503);
    await loading;
    own.set('open', ['c']);
    own.set('width', 200);
    expect(held).toEqual([]);
    await passTime();
    await next('answer');
    expect(own.get('open')).toEqual(['a', 'b']);
    await next('answer');
    expect(kept).toEqual({ 'acme.open': ['a', 'b'], 'acme.width': 200 });
  });

  test('arrive in the order in which they were set', async () => {
    const { kept, own, storage, held, next } = createStorage({});
    void storage.load();
    await next('answer');
    own.set('width', 100);
    await Promise.resolve();
    own.set('width', 200);
    own.set('height', 50);
    await Promise.resolve();
    expect(held).toHaveLength(1);
    await next('answer');
    await next('answer');
    expect(held).toEqual([]);
    expect(kept).toEqual({ 'acme.width': 200, 'acme.height': 50 });
  });

  test('that are on their way, or were when the reading began, stay when all are read again', async () => {
    const { kept, own, storage, held, next } = createStorage({ 'acme.width': 100 });
    void storage.load();
    await next('answer');
    own.set('width', 200);
    await Promise.resolve();
    const reading = own.refresh();
    held.pop()?.answer();
    await reading;
    expect(own.get('width')).toBe(200);
    const late = own.refresh();
    await next('answer');
    // What the server read before the value arrived.
    kept['acme.width'] = 100;
    await next('answer');
    await late;
    expect(own.get('width')).toBe(200);
  });

  test('that were set right before all are read again, and are on their way by then, stay', async () => {
    const { kept, own, storage, held, next } = createStorage({ 'acme.width': 100 });
    void storage.load();
    await next('answer');
    own.set('width', 200);
    const reading = own.refresh();
    await Promise.resolve();
    expect(held.map(({ request }) => request.method ?? 'GET')).toEqual(['GET', 'PUT']);
    await next('answer');
    await reading;
    expect(own.get('width')).toBe(200);
    await next('answer');
    expect(kept).toEqual({ 'acme.width': 200 });
  });

  test('are sent again when the server could not take them, and given up when it refuses', async () => {
    const { kept, own, storage, held, next, passTime } = createStorage({});
    void storage.load();
    await next('answer');
    own.set('width', 100);
    await Promise.resolve();
    await next(500);
    own.set('height', 50);
    await passTime();
    await next('answer');
    expect(kept).toEqual({ 'acme.width': 100, 'acme.height': 50 });
    own.set('width', 'x'.repeat(9));
    await Promise.resolve();
    await next(422);
    await passTime();
    expect(held).toEqual([]);
  });

  test('of one person are never sent for the next one', async () => {
    const { own, storage, held, next, passTime } = createStorage({});
    void storage.load();
    await next('answer');
    own.set('width', 100);
    await Promise.resolve();
    await next(500);
    storage.clear();
    await passTime();
    expect(held).toEqual([]);
    expect(own.get('width')).toBeUndefined();
  });
});
