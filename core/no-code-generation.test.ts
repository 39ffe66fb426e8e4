import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const run = promisify(execFile);

const build = (input: string, file: string) => `
import { rolldown } from 'rolldown';
const bundle = await rolldown({ input: ${JSON.stringify(input)}, platform: 'node', logLevel: 'silent' });
await bundle.write({ file: ${JSON.stringify(file)}, format: 'esm' });
await bundle.close();
`;

/** Everything of core that a page runs, in one go; prints what came out. */
const program = (core: string) => `
import * as core from ${JSON.stringify(core)};

let refused = false;
try { new Function('return 1')(); } catch { refused = true; }

const hooks = new core.HookRegistry({ onContained() {} });
hooks.define('a.willRun', { kind: 'waterfall', policy: 'propagate', description: '' });
hooks.define('a.didRun', { kind: 'did', policy: 'contain', description: '' });
hooks.define('a.willAsk', { kind: 'bail', policy: 'propagate', description: '' });
hooks.tap('p', 'a.willRun', (value) => value + 1);
hooks.tap('p', 'a.willAsk', () => 'answer');
hooks.tap('p', 'a.didRun', () => {});

const container = new core.Container();
const token = core.createToken('x');
container.bind(token, () => 'service');

const manager = new core.PluginManager({
  version: '1.0.0',
  load: async () => ({ setup() {} }),
  createContext: () => ({}),
  onError(error) { throw error; },
});
const manifest = core.parseManifest(
  { id: 'my-plugin', name: 'P', version: '1.0.0', category: 'app', engines: { trellis: '^1.0.0' }, sdk: 1 },
  'here',
);
await manager.discover([{ id: 'my-plugin', origin: 'built-in', manifest }]);
await manager.enable('my-plugin');

console.log(JSON.stringify({
  refused,
  waterfall: await hooks.call('a.willRun', 1),
  bail: await hooks.call('a.willAsk', 1),
  did: (await hooks.call('a.didRun', 1)) === undefined,
  service: container.get(token),
  settings: core.validateSettings({ type: 'object', properties: { a: { type: 'integer' } } }, { a: 'x' }).kind,
  state: manager.state('my-plugin'),
}));
`;

test('all of core runs where generating code from text is forbidden', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-core-'));
  try {
    const entry = join(folder, 'program.mjs');
    await writeFile(entry, program(join(import.meta.dirname, 'index.ts')));
    const file = join(folder, 'bundle.mjs');
    // The bundler is native and does not take objects of a test's own realm, so it runs in a process of its own.
    await run(process.execPath, ['--input-type=module', '--eval', build(entry, file)], {
      cwd: import.meta.dirname,
    });
    const { stdout } = await run(process.execPath, ['--disallow-code-generation-from-strings', file]);
    expect(JSON.parse(stdout)).toEqual({
      refused: true,
      waterfall: 2,
      bail: 'answer',
      did: true,
      service: 'service',
      settings: 'invalid',
      state: 'enabled',
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
