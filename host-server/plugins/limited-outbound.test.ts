import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { FilesToken, OutboundToken, type Outbound } from '@trellis/sdk/server';
import { createTestServer, testPlugin } from '@trellis/sdk/testing/server';
import { HostOutbound } from '../runtime/outbound/host-outbound.ts';
import { LimitedOutbound } from './limited-outbound.ts';

const manifest = {
  id: 'acme',
  name: 'Acme',
  version: '1.0.0',
  category: 'app',
  engines: { trellis: '*' },
  sdk: 1,
};

test('A plugin from elsewhere calls the hosts that its manifest lists, and no other by a redirect either', async () => {
  const server = createServer((_, response) => {
    const { port } = server.address() as AddressInfo;
    response.writeHead(302, { location: `http://other.test:${port}/` }).end();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const gate = new HostOutbound({
    allow: ['127.0.0.1'],
    lookUp: async () => [{ address: '127.0.0.1', family: 4 }],
  });
  const limited = (...hosts: string[]) => new LimitedOutbound(gate, { ...manifest, contributes: { hosts } });
  const call = { purpose: 'test' };
  const refused = {
    code: 'OUTBOUND_NOT_LISTED',
    message: expect.stringMatching(/'Acme' may not call 'other.test'/),
  };
  const reach = (outbound: LimitedOutbound, host: string) => outbound.resolve(host, 443, call);
  try {
    await expect(limited('acme.test').fetch(`http://acme.test:${port}/`, call)).rejects.toMatchObject(
      refused,
    );
    await expect(limited('acme.test').open(`http://other.test:${port}/`, call)).rejects.toMatchObject(
      refused,
    );
    await expect(reach(limited('*.acme.test'), 'API.acme.test')).resolves.toBeDefined();
    await expect(reach(limited('*'), 'other.test')).resolves.toBeDefined();
    for (const hosts of [[], ['acme.test'], ['*.acme.test']])
      await expect(reach(limited(...hosts), 'evilacme.test')).rejects.toMatchObject({
        code: 'OUTBOUND_NOT_LISTED',
      });
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => void server.close(resolve));
  }
});

test('It can add nothing to what its manifest lists once people have agreed to that', async () => {
  const said: string[] = [];
  const change = (work: () => void) => {
    try {
      work();
      said.push('changed');
    } catch (error) {
      said.push((error as Error).name);
    }
  };
  const foreign = testPlugin(
    'foreign',
    async (ctx) => {
      const contributes = ctx.manifest.contributes as Record<string, string[]>;
      change(() => void contributes['hosts']?.push('*'));
      change(() => void (contributes['hooks'] = ['rows.willCreate']));
      change(() => void Object.assign(ctx.manifest, { contributes: { hosts: ['*'] } }));
      const sly = {
        toLowerCase: () => 'acme.test',
        replace: () => 'other.test',
        toString: () => 'other.test',
      };
      for (const host of ['other.test', sly as unknown as string])
        await ctx
          .get(OutboundToken)
          .resolve(host, 443, { purpose: 'test' })
          .catch((error: { code?: string }) => said.push(String(error.code)));
    },
    { contributes: { hosts: ['acme.test'] } },
  );
  const server = await createTestServer({ plugins: [foreign] });
  try {
    expect(said).toEqual([
      'TypeError',
      'TypeError',
      'TypeError',
      'OUTBOUND_NOT_LISTED',
      'OUTBOUND_NOT_LISTED',
    ]);
  } finally {
    await server.dispose();
  }
});

test('Its context gives it no other gate, while a built-in plugin has the whole one', async () => {
  const gates = new Map<string, Outbound>();
  const asking = (id: string) => testPlugin(id, (ctx) => void gates.set(id, ctx.get(OutboundToken)));
  const server = await createTestServer({
    plugins: [asking('foreign'), { ...asking('own'), origin: 'built-in' }],
  });
  try {
    const resolve = (id: string) => gates.get(id)?.resolve('93.184.216.34', 443, { purpose: 'test' });
    await expect(resolve('foreign')).rejects.toMatchObject({ code: 'OUTBOUND_NOT_LISTED' });
    await expect(resolve('own')).resolves.toMatchObject({ address: '93.184.216.34' });
  } finally {
    await server.dispose();
  }
});

test('What it keeps at a host that is not listed is no fault of who stores a file: the card says why it cannot be reached', async () => {
  const shelf = testPlugin(
    'shelf',
    (ctx) => {
      const call = async (): Promise<never> => {
        await ctx.get(OutboundToken).fetch('https://shelf.test/', { purpose: 'storage' });
        throw new Error('The call went out.');
      };
      ctx.register('storageAdapters', {
        id: 'shelf',
        label: 'Shelf',
        isConfigured: () => true,
        put: call,
        get: call,
        remove: call,
      });
      ctx.routes({
        method: 'GET',
        path: '/api/v1/shelf',
        permission: 'signedIn',
        summary: 'Ask the shelf',
        handle: call,
      });
    },
    { contributes: { storageAdapters: [{ id: 'shelf' }], routes: ['/api/v1/shelf'] } },
  );
  const log: string[] = [];
  const server = await createTestServer({
    plugins: [shelf],
    // What else a busy machine makes the server complain of is not of this test.
    onLog: (level, message) => void (level === 'error' && /plugin/i.test(message) && log.push(message)),
  });
  try {
    const boss = await server.signUp();
    const stored = server.host.container
      .get(FilesToken)
      .put(Buffer.from('a'), { name: 'a.txt', type: 'text/plain' }, { limit: 10 });
    await expect(stored).rejects.toMatchObject({ status: 502, code: 'ADAPTER_FAILED' });
    const errorsOf = () => server.host.plugins.list().find(({ id }) => id === 'shelf')?.errors ?? [];
    expect(errorsOf()).toMatchObject([
      { where: 'store a file', message: expect.stringContaining('does not list the host') },
    ]);
    expect(log.splice(0)).toEqual(['A plugin failed']);
    const member = await server.signUp();
    expect(await member.get('/api/v1/shelf')).toMatchObject({ status: 500, body: { code: 'INTERNAL' } });
    expect(await boss.get('/api/v1/shelf')).toMatchObject({
      status: 500,
      body: { code: 'ROUTE_FAILED', msg: expect.stringContaining('The shelf') },
    });
    expect(errorsOf()[0]).toMatchObject({ where: 'GET /api/v1/shelf' });
    expect(log).toEqual(['A plugin failed', 'A plugin failed']);
  } finally {
    await server.dispose();
  }
});
