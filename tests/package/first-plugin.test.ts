import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { OutsideFolder, packSdkInto } from './outside-folder.ts';

const outside = new OutsideFolder();
const readme = readFileSync(resolve(import.meta.dirname, '../../sdk/README.md'), 'utf8');
let create: string;

/** A block of the chapter: lines to type, or a file to write, whose path its first line says. */
interface Step {
  readonly language: string;
  readonly text: string;
}

function stepsOf(chapter: string): readonly Step[] {
  const [, body = ''] = readme.split(`## ${chapter}\n`);
  const [own = ''] = body.split('\n## ');
  return [...own.matchAll(/```(\w+)\n([^]*?)```/g)].map(([, language = '', text = '']) => ({
    language,
    text,
  }));
}

/** Does what a shell and npm would do with a line. @returns the folder to stand in next */
function type(line: string, folder: string): string {
  const [program = '', verb = '', ...rest] = line.split(' ');
  if (program === 'cd') return join(folder, verb);
  if (verb === 'exec') {
    // Without it npm asks a terminal whether it may fetch the package, and gives up where there is none.
    const [yes, tarball = '', , , ...args] = rest;
    expect(yes).toBe('--yes');
    expect(resolve(folder, tarball.replace('--package=', ''))).toBe(create);
    outside.install('create-trellis-plugin', create, join(folder, 'npx'));
    const made = outside.node(
      [join(folder, 'npx/node_modules/create-trellis-plugin/dist/create-trellis-plugin.mjs'), ...args],
      folder,
    );
    expect([line, made]).toEqual([line, { status: 0, output: expect.stringContaining('Made') }]);
    return folder;
  }
  const { scripts, devDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
    devDependencies: Record<string, string>;
  };
  if (verb === 'install') {
    const tarball = resolve(folder, devDependencies['@trellis/sdk']?.replace('file:', '') ?? '');
    outside.install('@trellis/sdk', tarball, folder);
    return folder;
  }
  const script = scripts[verb === 'run' ? (rest[0] ?? '') : verb];
  const ran = outside.trellisPlugin(script?.split(' ').slice(1) ?? [], folder);
  expect([line, ran]).toEqual([line, { status: 0, output: expect.any(String) }]);
  return folder;
}

beforeAll(() => {
  ({ create } = packSdkInto(outside.path));
});

afterAll(() => outside.dispose());

test('the first plugin of the README works when it is followed to the letter', () => {
  let folder = outside.path;
  for (const { language, text } of stepsOf('A first plugin in ten minutes')) {
    if (language === 'sh') for (const line of text.trim().split('\n')) folder = type(line, folder);
    else {
      const [, path = ''] = /^\/\/ (\S+)\n/.exec(text) ?? [];
      // Each file is one that the template has: a reader looks for nothing.
      expect([path, existsSync(join(folder, path))]).toEqual([path, true]);
      outside.write({ [join(folder, path).slice(outside.path.length + 1)]: text });
    }
  }
  expect(existsSync(join(folder, 'acme-mood-0.1.0.tgz'))).toBe(true);
  const { output } = outside.trellisPlugin(['verify', 'acme-mood-0.1.0.tgz'], folder);
  expect(output).toMatch(/^acme-mood 0\.1\.0: \d+ files/);
});
