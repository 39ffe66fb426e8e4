import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { testPlugin } from '@trellis/sdk/testing/server';
import { createHost, type Host } from '../../host.ts';
import { loadConfig } from '../config/config.ts';
import { KnownSecrets } from './known-secrets.ts';
import { createLogger } from './logger.ts';

const key = 'acme-12345678';
// letters, so that no time stamp of a line can contain it
const shortPin = 'q7zx';
const lines: string[] = [];
let host: Host;
let dataDir = '';

const acme = testPlugin(
  'acme',
  (ctx) => {
    ctx.settings.onDidChange((now) => {
      ctx.logger.info('settings changed', now);
      ctx.logger.warn(`signing in with ${String(now['door'])}`, {
        failure: new Error(`401 for the key ${String(now['door'])}`),
        request: { address: `https://acme.example/?door=${String(now['door'])}` },
      });
    });
    ctx.tap('plugins.didChange', () => {
      throw new Error(`the key ${key} is worn out`);
    });
  },
  {
    settings: {
      type: 'object',
      properties: {
        door: { type: 'string', format: 'secret' },
        code: { type: 'string', format: 'secret' },
        city: { type: 'string' },
      },
    },
  },
);

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'trellis-log-'));
  const { config } = loadConfig({ TRELLIS_DATA_DIR: dataDir, PORT: '0' }, [], dataDir);
  const secrets = new KnownSecrets();
  const logger = createLogger({
    level: 'info',
    secrets,
    destination: { write: (line) => void lines.push(line) },
  });
  host = await createHost(config, { logger, secrets, plugins: [acme] });
  // A start waits only so long for plugins from elsewhere.
  while (host.plugins.list().find(({ id }) => id === 'acme')?.state === 'starting') await setTimeout(20);
  await host.plugins.saveSettings('acme', { door: key, code: shortPin, city: 'Bern' });
});
afterAll(async () => {
  await host.stop();
  await rm(dataDir, { recursive: true });
});

test('what the settings call secret reaches no line of the log, whatever it is called there', () => {
  const said = lines.join('');
  expect(said).toContain('settings changed');
  expect(said).toContain('Bern');
  expect(said).toContain('401 for the key [redacted]');
  expect(said).not.toContain(key);
  expect(said).not.toContain(shortPin);
});

test('nor the errors that the app store shows', async () => {
  await host.hooks.call('plugins.didChange', { id: 'acme', state: 'enabled', generation: 1 });
  const { errors } = host.plugins.list().find(({ id }) => id === 'acme') ?? {};
  expect(errors?.[0]?.message).toBe('the key [redacted] is worn out');
});

test('names that mean a secret are masked without a schema', () => {
  const written: string[] = [];
  const logger = createLogger({ level: 'info', destination: { write: (line) => void written.push(line) } });
  logger.info('calling', {
    apiKey: 'aaa',
    api_key: 'bbb',
    accessKey: 'ccc',
    passphrase: 'ddd',
    keyboard: 'qwertz',
  });
  expect(JSON.parse(written[0] ?? '')).toMatchObject({
    apiKey: '[redacted]',
    api_key: '[redacted]',
    accessKey: '[redacted]',
    passphrase: '[redacted]',
    keyboard: 'qwertz',
  });
});
