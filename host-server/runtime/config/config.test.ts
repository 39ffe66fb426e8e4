import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { describeConfig, loadConfig } from './config.ts';
import { keptSecret } from './kept-secret.ts';

describe('the configuration', () => {
  test('has a default for everything', () => {
    const { config } = loadConfig({}, [], '/srv');
    expect(config).toMatchObject({
      port: 8080,
      host: '127.0.0.1',
      dataDir: '/srv/data',
      database: { kind: 'sqlite', file: '/srv/data/trellis.db', create: true },
      sqliteDir: '/srv/data/sqlite',
      sqliteUploadMb: 1024,
      safeMode: false,
      pluginsLocked: false,
    });
  });

  test('tells every mistake at once, by name, with what is expected', () => {
    const wrong = {
      PORT: 'eighty',
      TRELLIS_PLUGINS: 'open',
      TRELLIS_SECRET: 'secret-secret-secret',
      TRELLIS_SITE_URL: 'ftp://x',
    };
    expect(() => loadConfig(wrong, ['--fast'], '/srv')).toThrow(
      /PORT: must be a whole number(?:.|\n)*TRELLIS_SECRET: looks like(?:.|\n)*TRELLIS_PLUGINS: must be(?:.|\n)*TRELLIS_SITE_URL: must begin/,
    );
    expect(() => loadConfig(wrong, ['--fast'], '/srv')).toThrow(/--fast/);
    const noAddress = { TRELLIS_SITE_URL: 'data.example.com' };
    expect(() => loadConfig(noAddress, [], '/srv')).toThrow(/TRELLIS_SITE_URL: must be an address/);
  });

  test('takes the address of a plugin index, and no password with it', () => {
    const index = (text: string) => loadConfig({ TRELLIS_PLUGIN_INDEX: text }, [], '/srv').config.pluginIndex;
    expect(index('')).toBeUndefined();
    expect(index('https://example.com/plugins.json')).toBe('https://example.com/plugins.json');
    expect(() => index('plugins.json')).toThrow(/TRELLIS_PLUGIN_INDEX: must be an address such as/);
    expect(() => index('https://me:pass@example.com/p.json')).toThrow(/no user name and no password/);
  });

  test('takes ranges of addresses in private networks, and nothing that only looks like one', () => {
    const ranges = (text: string) =>
      loadConfig({ TRELLIS_OUTBOUND_ALLOW: text }, [], '/srv').config.outboundAllow;
    expect(ranges('10.0.0.5, 192.168.0.0/16,fd00::/8')).toEqual(['10.0.0.5', '192.168.0.0/16', 'fd00::/8']);
    for (const wrong of ['db.local', '10.0.0.0/33', '10.0.0', '10.0.0.0/8/8', '10.0.0.0/'])
      expect(() => ranges(wrong)).toThrow(/TRELLIS_OUTBOUND_ALLOW: must be addresses or ranges/);
  });

  test('prints where each value came from and no secret', () => {
    const { origins } = loadConfig(
      {
        PORT: '9000',
        TRELLIS_SECRET: 'b1946ac92492d2347c6235b4d2611184',
        TRELLIS_DB: 'postgres://me:hunter2@db/trellis',
      },
      ['--safe-mode'],
      '/srv',
    );
    const text = describeConfig(origins);
    expect(text).toMatch(/PORT +9000 \(environment\)/);
    expect(text).toMatch(/TRELLIS_SAFE_MODE +true \(command line\)/);
    expect(text).toMatch(/HOST +127\.0\.0\.1 \(default\)/);
    expect(text).not.toMatch(/hunter2|b1946ac9/);
  });

  test('makes a secret once and keeps it to the owner of the process', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'trellis-secret-'));
    const [one, two] = await Promise.all([keptSecret(folder, undefined), keptSecret(folder, undefined)]);
    expect(one).toMatch(/^[0-9a-f]{64}$/);
    expect(two).toBe(one);
    expect(await keptSecret(folder, undefined)).toBe(one);
    expect((await stat(join(folder, 'secret'))).mode & 0o777).toBe(0o600);
    expect((await readFile(join(folder, 'secret'), 'utf8')).trim()).toBe(one);
    await rm(folder, { recursive: true });
  });
});
