import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AuthorFolder, localeRemark } from './outside-folder.ts';

const outside = new AuthorFolder();
const templates = resolve(import.meta.dirname, '../../sdk/templates');
const kinds = readdirSync(templates).sort();
/** Kinds of which somebody sees what they draw. */
const drawing = ['column-type', 'panel', 'theme', 'view'];

beforeAll(() => outside.prepare());
afterAll(() => outside.dispose());

describe('create-trellis-plugin', () => {
  describe('makes a plugin untouched', () => {
    const idOf = (kind: string) => `acme-${kind}`;
    const folderOf = (kind: string) => join(outside.path, idOf(kind));
    beforeAll(() => {
      for (const kind of kinds)
        expect(outside.create(idOf(kind), '--template', kind, '--sdk', `file:${outside.sdk}`)).toMatchObject({
          status: 0,
        });
    });

    test('that passes its own check, of each kind at once', () => {
      const looks = kinds.map((kind) => `${idOf(kind)}\nok      manifest\nok      types\nok      imports\n`);
      const { status, output } = outside.trellisPlugin(['check', ...kinds.map(idOf)]);
      expect(output).toMatch(localeRemark);
      expect([status, output.replace(localeRemark, '')]).toEqual([0, `${looks.join('')}ok      promises\n`]);
    });

    test('that is tested, of each kind', () => {
      const files = outside.testFiles(...kinds.map(idOf));
      expect([...new Set(files.map((file) => dirname(dirname(file))))]).toEqual(kinds.map(idOf));
      expect(outside.test(...kinds.map(idOf))).toEqual(files);
    });

    // What is built of the others, `check` has looked at; `tests/e2e/authors-walk.test.ts` packs and installs each of them.
    test('that is packed', () => {
      expect(outside.trellisPlugin(['pack'], folderOf('view'))).toMatchObject({ status: 0 });
      expect(existsSync(join(folderOf('view'), 'acme-view-0.1.0.tgz'))).toBe(true);
    });
  });

  test('writes the id and the name wherever the template has its own', () => {
    expect(outside.create('acme-mood', '--template', 'column-type', '--name', 'Mood of Acme')).toMatchObject({
      status: 0,
    });
    const folder = join(outside.path, 'acme-mood');
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    const texts = files.map(
      ({ parentPath, name }) => `${name}\n${readFileSync(join(parentPath, name), 'utf8')}`,
    );
    expect(texts.join('\n')).not.toMatch(/my-?plugin/i);
    expect(JSON.parse(readFileSync(join(folder, 'plugin.json'), 'utf8'))).toMatchObject({
      id: 'acme-mood',
      name: 'Mood of Acme',
      contributes: { columnTypes: [{ id: 'AcmeMood' }] },
    });
    const { version } = JSON.parse(
      readFileSync(resolve(import.meta.dirname, '../../package.json'), 'utf8'),
    ) as {
      version: string;
    };
    expect(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))).toMatchObject({
      devDependencies: { '@trellis/sdk': `^${version}` },
    });
  });

  test.each(kinds)('describes it by its own name, so that the app store says whose it is: %s', (kind) => {
    const id = `acme-named-${kind}`;
    expect(outside.create(id, '--template', kind, '--name', 'Mood of Acme')).toMatchObject({ status: 0 });
    const { description } = JSON.parse(readFileSync(join(outside.path, id, 'plugin.json'), 'utf8')) as {
      readonly description: string;
    };
    expect(description).toContain('Mood of Acme');
    expect(description).not.toMatch(/colour/i);
  });

  test('has a workflow that installs, checks, tests and packs it on each version of Node that the SDK promises', () => {
    expect(outside.create('acme-ci', '--template', 'empty')).toMatchObject({ status: 0 });
    const read = (file: string) => readFileSync(join(outside.path, 'acme-ci', file), 'utf8');
    const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: Record<string, string> };
    const workflow = read('.github/workflows/check.yml');
    expect(workflow).toContain("node: ['20.19', '22']");
    expect(workflow).toContain('node-version: ${{ matrix.node }}');
    const steps = [...workflow.matchAll(/- run: npm (?:run )?(\w+)$/gm)];
    expect(steps.map(([, script = '']) => scripts[script] ?? script)).toEqual([
      'install',
      'trellis-plugin check',
      'trellis-plugin test',
      'trellis-plugin pack',
    ]);
  });

  test('keeps what was installed, built or is secret out of git, and its lines as the archive has them', () => {
    expect(outside.create('acme-git', '--template', 'empty')).toMatchObject({ status: 0 });
    const linesOf = (file: string) => readFileSync(join(outside.path, 'acme-git', file), 'utf8').split('\n');
    // Without a slash at its end, a pattern also stands for a link to a folder.
    expect(linesOf('.gitignore')).toEqual(
      expect.arrayContaining(['node_modules', 'dist', '/*.tgz', '*.key']),
    );
    // Archives of one source are the same bytes, also on Windows.
    expect(linesOf('.gitattributes')).toContain('* text=auto eol=lf');
  });

  test('says in words what it adds, where the app store lists that: a permission, too', () => {
    const unnamed = kinds.flatMap((kind) => {
      const { contributes = {} } = JSON.parse(readFileSync(join(templates, kind, 'plugin.json'), 'utf8')) as {
        readonly contributes?: Readonly<Record<string, readonly { id: string; label?: string }[]>>;
      };
      // The label of a page is that of the item which leads to it.
      const listed = Object.entries(contributes).filter(([registry]) => registry !== 'pages');
      return listed.flatMap(([registry, items]) =>
        items
          .filter((item) => typeof item === 'object' && item.label === undefined)
          .map(({ id }) => `${kind}: ${registry} ${id}`),
      );
    });
    expect(unnamed).toEqual([]);
  });

  test.each(kinds)('has a story where it draws something, and else says why it has none: %s', (kind) => {
    const web = join(templates, kind, 'web');
    const hasStory = existsSync(web) && readdirSync(web).some((name) => name.includes('.stories.'));
    const readme = readFileSync(join(templates, kind, 'README.md'), 'utf8');
    expect([hasStory, /has no story[:,]/.test(readme)]).toEqual([hasStory, !hasStory]);
  });

  test('has stories where it is a column type, a panel, a theme or a view, and those that break are told of', () => {
    const files = drawing.map((kind) => {
      const id = `acme-told-${kind}`;
      expect(outside.create(id, '--template', kind)).toMatchObject({ status: 0 });
      const folder = join(outside.path, id);
      const file = readdirSync(join(folder, 'web')).find((name) => name.endsWith('.stories.tsx')) ?? '';
      const stories = readFileSync(join(folder, 'web', file), 'utf8');
      const broken = `export const Broken = { render: () => { throw new Error('A story of ${kind} breaks.'); } };`;
      outside.write({ [`${id}/web/${file}`]: `${stories}\n${broken}\n` });
      return file;
    });
    const { status, output } = outside.trellisPlugin(['test', '/acme-told-[a-z-]+/web/']);
    expect(status).toBe(1);
    for (const file of files) expect(output).toContain(`draws its stories: ${file}`);
    for (const kind of drawing) expect(output).toContain(`A story of ${kind} breaks.`);
  });

  test('says what it takes', () => {
    expect(outside.create('--help')).toEqual({
      status: 0,
      output: expect.stringMatching(
        /^create-trellis-plugin <id> --template <template> [^\n]*\nTemplates: [^\n]*\n$/,
      ),
    });
  });

  test('refuses what no plugin can be, and writes nothing', () => {
    expect(outside.create('acme-x', '--template', 'nothing')).toMatchObject({
      status: 2,
      output: expect.stringContaining(`Templates: ${kinds.join(', ')}`),
    });
    expect(outside.create('acme-x', '--template', 'colum-type').output).toMatch(
      /^There is no template 'colum-type'; did you mean 'column-type'\?\n/,
    );
    expect(outside.create('acme-x', '--tempalte', 'empty').output).toMatch(
      /^There is no option '--tempalte'; did you mean '--template'\?\n/,
    );
    expect(outside.create('acme-x')).toMatchObject({ status: 2 });
    expect(outside.create('Acme X', '--template', 'empty').output).toContain('is no id of a plugin');
    expect(outside.create('acme-x', '--template', 'empty', '--name', "Acme's").output).toContain(
      'cannot be its name',
    );
    expect(existsSync(join(outside.path, 'acme-x'))).toBe(false);
    outside.write({ 'acme-full/notes.txt': 'mine' });
    expect(outside.create('acme-full', '--template', 'empty')).toMatchObject({
      status: 1,
      output: expect.stringContaining('holds something already'),
    });
    expect(readdirSync(join(outside.path, 'acme-full'))).toEqual(['notes.txt']);
  });
});
