import { describe, expect, test } from '@jest/globals';
import { createWebHost } from '../app/create-web-host.ts';
import { LocalMirror } from '../store/local-mirror.ts';
import { signedInServer } from '../testing/signed-in-server.ts';

const list = 'GET /api/v1/plugins/web';

describe('the list of plugins', () => {
  test('is asked for again when it could not be read, though nobody names its generation again', async () => {
    const server = signedInServer();
    const timers: (() => void)[] = [];
    const { sync } = createWebHost({
      transport: server.transport,
      mirror: new LocalMirror(undefined),
      clock: {
        now: () => 0,
        after: (_milliseconds, run) => {
          timers.push(run);
          return () => undefined;
        },
      },
      embedded: false,
    });
    const settled = () => new Promise((resolve) => setTimeout(resolve, 20));
    await sync.start(() => Promise.resolve([]));
    timers.length = 0;
    server.on(list, { status: 503, data: { msg: 'Starting' } });
    sync.hear(2);
    await settled();
    server.on(list, { data: { generation: 2, plugins: [] } });
    expect(server.count(list)).toBe(2);
    for (const run of timers.splice(0)) run();
    await settled();
    expect(server.count(list)).toBe(3);
    sync.hear(2);
    for (const run of timers.splice(0)) run();
    await settled();
    expect(server.count(list)).toBe(3);
  });
});
