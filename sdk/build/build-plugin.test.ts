import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { BundledCommand } from '../testing/bundled-command.ts';
import { testManifest } from '../testing/test-manifest.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

const repository = resolve(import.meta.dirname, '../..');
let folder: string;

const command = new BundledCommand();

/** Runs the command as an author does. */
const buildPlugin = (named = folder, env?: NodeJS.ProcessEnv) => command.run(['build', named], env);

const write = (file: string, text: string): void => {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
};
const imports = (file: string): string[] =>
  [...readFileSync(join(folder, file), 'utf8').matchAll(/from\s*"([^"]+)"/g)]
    .map((match) => match[1] ?? '')
    .sort();

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'trellis-plugin-')));
  symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'));
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  command.dispose();
});

describe('building a plugin', () => {
  test('both halves keep the shared modules as imports and take everything else in', () => {
    write('plugin.json', JSON.stringify(testManifest('column-mood', 'Mood')));
    write('shared/index.ts', `export const moods: readonly string[] = ['glad', 'sad'];`);
    write(
      'server/index.ts',
      `import { readFileSync } from 'node:fs';
       import { defineServerPlugin } from '@trellis/sdk/server';
       import semver from 'semver';
       import { moods } from '../shared/index.ts';
       export default defineServerPlugin({ setup: () => [readFileSync, semver.valid('1.0.0'), moods] } as never);`,
    );
    write('web/mood.css', '.mood { color: teal }');
    write(
      'web/index.tsx',
      `import './mood.css';
       import { useState } from 'react';
       import { Button } from 'primereact/button';
       import { defineWebPlugin } from '@trellis/sdk/web';
       import { moods } from '../shared/index.ts';
       const Mood = () => { const [mood] = useState(moods[0]); return <Button className="mood" label={mood} />; };
       export default defineWebPlugin({ setup: () => Mood } as never);`,
    );

    expect(buildPlugin()).toEqual({
      status: 0,
      output: `Built server and web of 'column-mood' into ${join(folder, 'dist')}\n`,
    });
    expect(imports('dist/server/index.js')).toEqual(['@trellis/sdk/server', 'node:fs']);
    expect(imports('dist/web/index.js')).toEqual([
      '@trellis/sdk/web',
      'primereact/button',
      'react',
      'react/jsx-runtime',
    ]);
    expect(readFileSync(join(folder, 'dist/web/index.css'), 'utf8')).toContain('.mood');
    expect(JSON.parse(readFileSync(join(folder, 'dist/package.json'), 'utf8'))).toEqual({ type: 'module' });
  });

  test('a plugin may have one half', () => {
    rmSync(join(folder, 'server'), { recursive: true });
    expect(buildPlugin().output).toContain('Built web of');
    expect(existsSync(join(folder, 'dist/server'))).toBe(false);
  });

  test('what the page shares in part is taken from that part, and refused beyond it', () => {
    const page = (name: string) =>
      write(
        'web/index.tsx',
        `import { ${name} } from 'react-router-dom'; export default { setup: () => ${name} };`,
      );
    page('useParams');
    expect(buildPlugin()).toMatchObject({ status: 0 });
    expect(imports('dist/web/index.js')).toEqual(['react-router-dom']);
    page('useFetcher');
    expect(buildPlugin()).toMatchObject({ status: 1, output: expect.stringContaining('useFetcher') });
  });

  test.each([
    ['web', '@trellis/sdk/web', 'notThere', "look for its name in the README of '@trellis/sdk'."],
    ['web', '@trellis/sdk/web', 'useTt', "did you mean 'useT'?"],
    ['server', '@trellis/sdk/server', 'TrellisError', "import it from '@trellis/sdk/shared'."],
  ])('a name that the SDK does not export is refused: %s half', (half, module, name, wayOut) => {
    const file = `${half}/index.ts${half === 'web' ? 'x' : ''}`;
    write(file, `import { ${name} } from '${module}'; export default { setup: () => ${name} };`);
    const problem = `${file}:1:10 imports '${name}', which '${module}' does not export; ${wayOut}`;
    expect(buildPlugin()).toEqual({ status: 1, output: expect.stringContaining(problem) });
    rmSync(join(folder, half), { recursive: true });
    write('web/index.tsx', 'export default { setup() {} };');
  });

  test('a half without a default export is refused, since the host would find nothing in it', () => {
    write('web/index.tsx', 'export const plugin = { setup() {} };');
    expect(buildPlugin()).toEqual({
      status: 1,
      output: expect.stringContaining(
        'web/index.tsx has no default export; end it with "export default define',
      ),
    });
  });

  test('what a CommonJS library requires of the shared modules is the copy of the page', () => {
    write(
      'lib/old.cjs',
      `const React = require('react');
       const { memo } = require('react');
       exports.Old = memo(() => React.createElement('b'));`,
    );
    write('web/index.tsx', `import { Old } from '../lib/old.cjs'; export default { setup: () => Old };`);
    expect(buildPlugin()).toMatchObject({ status: 0 });
    expect(imports('dist/web/index.js')).toEqual(['react']);
    // Modules have no "require", like a page.
    const script = `const { default: half } = await import(${JSON.stringify(join(folder, 'dist/web/index.js'))});
      const { memo } = await import(${JSON.stringify(import.meta.resolve('react'))});
      process.stdout.write(String(half.setup().$$typeof === memo(() => null).$$typeof));`;
    const run = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    expect(run.stderr).toBe('');
    expect(run.stdout).toBe('true');
  });

  test('a build that fails leaves the former one whole, and nothing beside it', () => {
    write('web/index.tsx', `export default { setup() { return 'first'; } };`);
    expect(buildPlugin()).toMatchObject({ status: 0 });
    write('web/index.tsx', 'export default { setup() { return ; ');
    expect(buildPlugin()).toMatchObject({ status: 1 });
    expect(readFileSync(join(folder, 'dist/web/index.js'), 'utf8')).toContain('first');
    write('web/index.tsx', `export default { setup() { return 'second'; } };`);
    expect(buildPlugin()).toMatchObject({ status: 0 });
    expect(readFileSync(join(folder, 'dist/web/index.js'), 'utf8')).toContain('second');
    expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  test('a folder is named from where the person stands', () => {
    write('web/index.tsx', 'export default { setup() {} };');
    const env = { ...process.env, INIT_CWD: dirname(folder) };
    expect(buildPlugin(basename(folder), env)).toMatchObject({ status: 0 });
  });

  test.each([
    ['web', "import 'node:fs';", "web/index.tsx:1:8 imports 'node:fs', which browsers do not have"],
    ['web', "import 'react-router';", "a second copy of 'react-router', which the page shares"],
    ['web', "import 'react-dom/server';", "a second copy of 'react-dom', which the page shares"],
    [
      'web',
      "import { PrimeReactContext } from 'primereact/api/api.esm.js'; console.log(PrimeReactContext);",
      "primereact/api/api.esm.js would be a second copy of 'primereact/api', which the page shares; import it as 'primereact/api'.",
    ],
    [
      'web',
      "import { Button } from 'primereact'; console.log(Button);",
      "would be a second copy of 'primereact', which the page shares; import its parts, such as 'primereact/api'.",
    ],
    ['web', "import '../../elsewhere/index.ts';", 'which lies outside of the plugin'],
    ['web', "import '#plugins/columns-select/shared';", 'which only plugins of the product have'],
    [
      'server',
      "import '@trellis/core';",
      "server/index.ts:1:8 imports '@trellis/core', which is not offered here",
    ],
    [
      'web',
      "import '@trellis/sdk/web/iu';",
      "web/index.tsx:1:8 imports '@trellis/sdk/web/iu', which is not offered here; did you mean '@trellis/sdk/web/ui'?\n",
    ],
    ['web', "import 'recat';", "a package that is not installed; did you mean 'react'?\n"],
    ['web', "import '../lib/react.js';", 'lib/react.js holds a second copy of React'],
    [
      'server',
      "import { useT } from '@trellis/sdk/web'; console.log(useT);",
      "server/index.ts:1:22 imports '@trellis/sdk/web', which a server half does not have; import from '@trellis/sdk/server'",
    ],
    ['server', "import 'no-such-package/part';", 'run "npm install no-such-package" in the plugin'],
  ])('an import that would fail where the plugin runs fails here: %s half, %s', (half, line, problem) => {
    for (const other of ['server', 'web']) rmSync(join(folder, other), { recursive: true, force: true });
    write(
      'lib/react.js',
      readFileSync(join(repository, 'node_modules/react/cjs/react.production.js'), 'utf8'),
    );
    write(half === 'web' ? 'web/index.tsx' : 'server/index.ts', `${line}\nexport default { setup() {} };`);
    const built = buildPlugin();
    expect(built).toMatchObject({ status: 1, output: expect.stringContaining(problem) });
    expect(built.output.trim().split('\n')).toHaveLength(1);
    rmSync(join(folder, half), { recursive: true });
    write('web/index.tsx', 'export default { setup() {} };');
  });

  test('a second React is told of once, also where it lies in the folder of the plugin', () => {
    rmSync(join(folder, 'node_modules'));
    cpSync(join(repository, 'node_modules/react'), join(folder, 'node_modules/react'), { recursive: true });
    symlinkSync(join(repository, 'node_modules/@trellis'), join(folder, 'node_modules/@trellis'));
    write('web/index.tsx', `import '../node_modules/react/index.js';\nexport default { setup() {} };`);
    const { status, output } = buildPlugin();
    expect([status, output.match(/second copy/g)]).toEqual([1, ['second copy']]);
    rmSync(join(folder, 'node_modules'), { recursive: true });
    symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'));
    write('web/index.tsx', 'export default { setup() {} };');
  });

  test('a server half takes React in, since a server has no copy of it', () => {
    write(
      'server/index.ts',
      `import { createElement } from 'react'; export default { setup: () => createElement('b') };`,
    );
    expect(buildPlugin()).toMatchObject({ status: 0 });
    expect(imports('dist/server/index.js').filter((id) => !id.startsWith('.'))).toEqual([]);
    rmSync(join(folder, 'server'), { recursive: true });
  });

  test.each([
    ["globalThis.fetch('https://moods.example')", true],
    ["global . fetch('https://moods.example')", true],
    ["fetch('https://moods.example')", true],
    ["ctx.outbound.fetch('https://moods.example')", false],
    ["ctx.globalThis.fetch('https://moods.example')", false],
  ])('a report tells of calls past the manifest: %s', (call, isToldOf) => {
    write('server/index.ts', `export default { setup: (ctx: any) => ${call} };`);
    const { status, output } = command.run(['report', folder]);
    expect([status, output.includes('past what its manifest lists by: fetch')]).toEqual([0, isToldOf]);
    rmSync(join(folder, 'server'), { recursive: true });
  });

  test('all that is wrong with the imports of both halves is told at once, and the former build stays', () => {
    write(
      'server/index.ts',
      `import 'no-such-package';\nimport '@trellis/core';\nexport default { setup() {} };`,
    );
    write('web/index.tsx', `\n  import fs from "fs";\nexport default { setup: () => fs };`);
    expect(buildPlugin()).toEqual({
      status: 1,
      output: `server/index.ts:1:8 imports 'no-such-package', a package that is not installed; run "npm install no-such-package" in the plugin's folder.
server/index.ts:2:8 imports '@trellis/core', which is not offered here; import from '@trellis/sdk/server', '@trellis/sdk/shared' or another part of the SDK.
web/index.tsx:2:18 imports 'fs', which browsers do not have; do that in the server half, behind a route of the plugin.
`,
    });
    rmSync(join(folder, 'server'), { recursive: true });
    write('web/index.tsx', 'export default { setup() {} };');
  });

  test('a manifest that the host would refuse fails here, with every mistake', () => {
    write('plugin.json', '{ "id": "column-mood", "version": "one" }');
    const { status, output } = buildPlugin();
    expect(status).toBe(1);
    expect(output).toContain('plugin.json');
    expect(output).toMatch(/name/);
    expect(output).toMatch(/category/);
    write('plugin.json', '{ no json');
    expect(buildPlugin()).toMatchObject({ status: 1, output: expect.stringContaining('is no JSON') });
    write('plugin.json', '{\n  "id": "column-mood",\n  "system": True,\n  "name": "Mood"\n}');
    expect(buildPlugin()).toMatchObject({ status: 1, output: expect.stringContaining('plugin.json:3:13') });
    write('plugin.json', JSON.stringify(testManifest('column-mood', 'Mood')));
  });

  test('a folder that is no plugin is refused with the way out', () => {
    rmSync(join(folder, 'web'), { recursive: true });
    expect(buildPlugin()).toEqual({
      status: 1,
      output: expect.stringContaining('write server/index.ts, web/index.tsx or both'),
    });
    write('plugin.json', '{}');
    expect(buildPlugin()).toEqual({ status: 1, output: expect.stringContaining("must have 'id'") });
    rmSync(join(folder, 'plugin.json'));
    expect(buildPlugin()).toEqual({
      status: 1,
      output: expect.stringContaining('there is no plugin.json in it'),
    });
  });
});
