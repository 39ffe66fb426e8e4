import { once } from 'node:events';
import { connect } from 'node:net';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { describePlugin } from '@trellis/sdk/testing/server';
import { cockroach } from './cockroach.ts';
import { multicast } from './multicast.ts';
import { serveTime } from './serve-time.ts';

describePlugin(resolve(import.meta.dirname, '..'));

test('the database is opened as one that speaks PostgreSQL', () => {
  const settings = { host: 'lake.example', port: 26257, user: 'ada', database: 'fish' };
  expect(cockroach.fromConfig({ client: 'cockroach', connection: settings })).toEqual(settings);
  expect(cockroach.target(settings)).toEqual({ dialect: 'postgres', ...settings });
});

test('whoever connects is told the time, until it is stopped', async () => {
  const { port, stop } = await serveTime(0, new AbortController().signal);
  const told = await text(connect(port, '127.0.0.1'));
  expect(Date.parse(told.trim())).toBeLessThanOrEqual(Date.now());
  await stop();
  const refused = connect(port, '127.0.0.1');
  await expect(once(refused, 'connect')).rejects.toThrow('ECONNREFUSED');
});

test('a start that is given up leaves nothing open', async () => {
  const before = process.getActiveResourcesInfo().filter((kind) => kind === 'TCPServerWrap').length;
  await expect(serveTime(0, AbortSignal.abort())).rejects.toThrow(/abort/i);
  await new Promise((resolve) => setImmediate(resolve));
  const after = process.getActiveResourcesInfo().filter((kind) => kind === 'TCPServerWrap').length;
  expect(after).toBe(before);
});

test('a transport closes its socket', async () => {
  const errors: unknown[] = [];
  const events = { receive: () => undefined, connected: () => undefined };
  const transport = multicast(() => '239.255.42.99');
  await transport.open({ ...events, onError: (error) => errors.push(error) }).close();
  expect(errors).toEqual([]);
});
