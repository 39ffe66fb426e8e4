import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { sourcePlace } from './source-place.ts';
import { locateSyntaxError } from './syntax-place.ts';

let folder: string;
let server: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-place-'));
  server = join(folder, 'dist/server');
  await mkdir(server, { recursive: true });
  await writeFile(join(folder, 'dist/package.json'), '{ "type": "module" }');
});
afterEach(() => rm(folder, { recursive: true }));

/** As `import` rejects for a module that cannot be read: no line of its stack is the author's. */
const unreadable = () =>
  Object.assign(new SyntaxError("Unexpected token ';'"), {
    stack:
      "SyntaxError: Unexpected token ';'\n    at compileSourceTextModule (node:internal/modules/esm/utils:346:16)",
  });

const urlOf = (name: string) => `${pathToFileURL(join(server, name)).href}?built=1.5`;

test('a mistake of syntax is told with file and line, also where it stands in a file that the plugin imports', async () => {
  await writeFile(join(server, 'index.js'), "import './later.js';\nexport default {};\n");
  await writeFile(join(server, 'later.js'), 'const one = 1;\nconst two = ;\n');
  const error = unreadable();
  await locateSyntaxError(error, urlOf('index.js'));
  expect(sourcePlace(error, folder)).toBe('dist/server/later.js:2:13');
});

test('the place of a mistake is that in the sources where a map lies beside what was built', async () => {
  await writeFile(join(server, 'index.js'), 'const one = 1;\nconst two = ;\n');
  const map = { version: 3, sources: ['../../server/index.ts'], names: [], mappings: ';AAIE' };
  await writeFile(join(server, 'index.js.map'), JSON.stringify(map));
  const error = unreadable();
  await locateSyntaxError(error, urlOf('index.js'));
  expect(sourcePlace(error, folder)).toBe('server/index.ts:5:3');
});

test('a name that a module does not have is told with the place of its import', async () => {
  const message =
    "The requested module '@trellis/sdk/server' does not provide an export named 'defineServerPlugn'";
  const error = Object.assign(new SyntaxError(message), {
    stack: `${urlOf('index.js')}:1\nimport { defineServerPlugn } from '@trellis/sdk/server';\n         ^^^^^^^^^^^^^^^^^\nSyntaxError: ${message}\n    at ModuleJob._instantiate (node:internal/modules/esm/module_job:213:21)`,
  });
  const { stack } = error;
  await locateSyntaxError(error, urlOf('index.js'));
  expect(error.stack).toBe(stack);
  expect(sourcePlace(error, folder)).toBe('dist/server/index.js:1:10');
});

test('what is no mistake of syntax, or stands in no file of the plugin, is left as it is', async () => {
  await writeFile(join(server, 'index.js'), 'export default {};\n');
  const error = unreadable();
  const { stack } = error;
  await locateSyntaxError(error, urlOf('index.js'));
  await locateSyntaxError(new TypeError('no ink'), urlOf('index.js'));
  expect([error.stack, sourcePlace(error, folder)]).toEqual([stack, undefined]);
});
