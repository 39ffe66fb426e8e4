import type { Language } from './create-plugin.ts';

/** The files that every new plugin has. */
export function commonFiles(plugin: {
  readonly id: string;
  readonly sdk: string;
  readonly language: Language;
  readonly readme: string;
}): ReadonlyMap<string, string> {
  return new Map([
    ...projectFiles(plugin),
    // Without a slash at its end, a link to a folder of packages is meant, too. The archives of the plugin lie beside its manifest.
    ['.gitignore', 'node_modules\ndist\n.trellis-*\n/*.tgz\n*.key\n'],
    // Archives of one source are the same bytes on every system.
    ['.gitattributes', '* text=auto eol=lf\n'],
    ['.github/workflows/check.yml', workflow],
    ['README.md', `${plugin.readme}\n${working}`],
  ]);
}

/**
 * The files by which npm and the compiler take a folder for a plugin.
 *
 * @param plugin.packages what the plugin imports besides what comes with the SDK, by name, with the versions
 */
export function projectFiles(plugin: {
  readonly id: string;
  readonly sdk: string;
  readonly language: Language;
  readonly version?: string;
  readonly packages?: Readonly<Record<string, string>>;
}): ReadonlyMap<string, string> {
  return new Map([
    ['package.json', json(packageOf(plugin))],
    ['tsconfig.json', json({ extends: '@trellis/sdk/tsconfig.json', ...sources[plugin.language] })],
  ]);
}

/** The checked files. JavaScript is checked by the types in its comments. */
const sources: Readonly<Record<Language, object>> = {
  typescript: { include: ['**/*.ts', '**/*.tsx'] },
  javascript: {
    compilerOptions: { allowJs: true, checkJs: true },
    include: ['**/*.js', '**/*.jsx'],
    exclude: ['dist', 'node_modules'],
  },
};

function packageOf({
  id,
  sdk,
  version = '0.1.0',
  packages = {},
}: Omit<Parameters<typeof projectFiles>[0], 'language'>): object {
  const scripts = ['check', 'test', 'dev', 'build', 'pack'].map((name) => [name, `trellis-plugin ${name}`]);
  return {
    name: id,
    version,
    private: true,
    type: 'module',
    scripts: Object.fromEntries(scripts),
    devDependencies: { '@trellis/sdk': sdk, ...packages },
    // The test server's database driver must be built for this machine; the other package's script is not needed.
    allowScripts: { 'better-sqlite3': true, '@parcel/watcher': false },
  };
}

const workflow = `name: check
on: [push, pull_request]
jobs:
  check:
    runs-on: ubuntu-latest
    strategy:
      matrix:
        node: ['20.19', '22']
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: \${{ matrix.node }}
      - run: npm install
      - run: npm run check
      - run: npm test
      - run: npm run pack
`;

const working = `## Working on it

| command | what it does |
| --- | --- |
| \`npm install\` | fetches the SDK, once |
| \`npm run check\` | finds what is wrong: manifest, types, imports, and what the plugin promises |
| \`npm test\` | runs its tests, on a real server and in a real page |
| \`npm run dev -- --data <data folder>\` | puts each change into service in the product that keeps its data there, at the address that \`--server\` names |
| \`npm run pack\` | writes the archive that the app store of Trellis installs |

\`.github/workflows/check.yml\` does that on GitHub for each push. It fetches the SDK from where \`package.json\` says: an archive on your machine it
does not find, so copy that into \`vendor/\`, name it by \`npm install --save-dev ./vendor/<archive>\`, and commit it.

\`dev\` signs in as the super admin whom \`TRELLIS_EMAIL\` and \`TRELLIS_PASSWORD\` name. The book of all that a plugin can do is
\`node_modules/@trellis/sdk/README.md\`.
`;

function json(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
