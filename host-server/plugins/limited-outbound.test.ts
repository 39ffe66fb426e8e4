import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { OutboundToken, type Outbound } from '@trellis/sdk/server';
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
  const refused = { code: 'OUTBOUND_NOT_LISTED', params: { plugin: 'Acme', host: 'other.test' } };
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
