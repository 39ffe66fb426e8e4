/**
 * `npm run sdk:pack [-- folder]`: writes `trellis-sdk-<version>.tgz`, which npm installs into an empty folder, and with which
 * plugins are written, tested, built and packed without this repository; and `create-trellis-plugin-<version>.tgz`, which creates
 * one.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { pluginIds } from '../../host-server/build/server-bundle.mjs';
import { exampleFolders, pictureFolder } from '../build/sdk-reference.ts';
import { bundleCreate, bundleSdk } from './bundle.ts';
import { writeDeclarations } from './declarations.ts';
import { writeExample } from './example-files.ts';
import { englishTexts } from './english-texts.ts';
import { writeJavaScriptTemplates } from './javascript-templates.ts';
import { editorSchema } from './manifest-schema.ts';
import { createManifest, packageManifest, sdkEntries } from './package-manifest.ts';

// npm starts at the root; once bundled, this file's own address is in a cache.
const root = process.cwd();

async function stageSdk(folder: string): Promise<void> {
  const entries = sdkEntries(root);
  const sources = entries.map(({ bundle, source }) => [bundle, source]);
  const code = await bundleSdk(root, join(folder, 'dist'), {
    ...Object.fromEntries(sources),
    'trellis-plugin': 'sdk/build/command/trellis-plugin.ts',
  });
  const types = writeDeclarations(
    root,
    join(folder, 'types'),
    entries.map(({ declarations }) => declarations),
  );
  // The test server finds its own plugins by their manifests.
  for (const id of pluginIds(root)) {
    mkdirSync(join(folder, 'plugins', id), { recursive: true });
    cpSync(join(root, 'plugins', id, 'plugin.json'), join(folder, 'plugins', id, 'plugin.json'));
  }
  cpSync(join(root, 'sdk/api'), join(folder, 'api'), { recursive: true });
  cpSync(join(root, 'sdk', pictureFolder), join(folder, pictureFolder), { recursive: true });
  cpSync(join(root, 'sdk/testing/jest'), join(folder, 'testing/jest'), { recursive: true });
  cpSync(join(root, 'sdk/build/plugin-tsconfig.json'), join(folder, 'tsconfig.json'));
  cpSync(join(root, 'sdk/README.md'), join(folder, 'README.md'));
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  writeJson(join(folder, 'plugin.schema.json'), editorSchema());
  writeFileSync(join(folder, 'texts.json'), englishTexts(root));
  const ofTests = importedIn(join(folder, 'testing/jest'));
  const manifest = packageManifest(root, { code: [...code, ...ofTests], types });
  writeJson(join(folder, 'package.json'), manifest);
  // The examples that the book names.
  for (const example of exampleFolders())
    writeExample(root, example, join(folder, 'examples', basename(example)), manifest);
}

async function stageCreate(folder: string): Promise<void> {
  await bundleCreate(root, join(folder, 'dist'));
  const templates = join(root, 'sdk/templates');
  cpSync(templates, join(folder, 'templates/typescript'), { recursive: true });
  await writeJavaScriptTemplates(
    templates,
    join(folder, 'templates/javascript'),
    join(root, 'tests/prettier.json'),
  );
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  writeJson(join(folder, 'package.json'), createManifest(root));
}

/** The imports and requires of plain JavaScript files. */
function importedIn(folder: string): readonly string[] {
  return readdirSync(folder).flatMap((name) => {
    const text = readFileSync(join(folder, name), 'utf8');
    return [...text.matchAll(/(?:from |require\()'([^']+)'/g)].map(([, id = '']) => id);
  });
}

function writeJson(file: string, value: object): void {
  writeFileSync(file, `${JSON.stringify(value, undefined, 2)}\n`);
}

/** Packs a staged package with npm's own command. @returns the written file */
function packWithNpm(folder: string, to: string): string {
  mkdirSync(to, { recursive: true });
  const command = ['pack', '--ignore-scripts', '--silent', '--pack-destination', to];
  const { status, stdout, stderr } = spawnSync('npm', command, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm could not pack it:\n${stderr}`);
  return join(to, stdout.trim());
}

const [to = root, ...more] = process.argv.slice(2);
if (to.startsWith('-') || more.length > 0) {
  process.stderr.write(
    'pack-sdk [folder]: packs the SDK and create-trellis-plugin into the folder, or into this one.\n',
  );
  process.exit(2);
}
const parent = join(root, 'node_modules/.cache/trellis');
mkdirSync(parent, { recursive: true });
for (const stage of [stageSdk, stageCreate]) {
  const folder = mkdtempSync(join(parent, 'package-'));
  try {
    await stage(folder);
    process.stdout.write(`${packWithNpm(folder, resolve(to))}\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
