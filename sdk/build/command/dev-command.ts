import { lstat, mkdir, readdir, readlink, realpath, symlink, unlink } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import nextVersion from 'semver/functions/inc.js';
import { pluginAsks } from '../../shared/index.ts';
import type { BuiltPlugin } from '../build-plugin.ts';
import { aloneIn } from './alone-in.ts';
import { assertDataFolder } from './assert-data-folder.ts';
import { bringElsewhere } from './bring-elsewhere.ts';
import { readManifest } from '../manifest/read-manifest.ts';
import { ChangedHalves } from './changed-halves.ts';
import { type Command, messageOf, namedFolder, readArguments, say, tell, UsageError } from './command.ts';
import { ErrorsInUse } from './errors-in-use.ts';
import { ProductAway, ProductClient, ProductRefusal } from './product-client.ts';
import { TypesBeside } from './types-beside.ts';
import { watchSources } from './watch-sources.ts';

/** Milliseconds between two checks for the plugin's errors in use. */
const lookEvery = 1000;

export const devCommand: Command = {
  takes:
    '[folder] --data <data folder of the product> [--server http://127.0.0.1:8080] [--agree] | [folder] --to <address of a product> [--agree]',
  does: 'builds whenever a file changes, and puts each build into service in a running product: in one that keeps its data here, or in one elsewhere whose operator allows it (TRELLIS_PLUGINS_DEV=1); --agree agrees to what it asks for: addresses of the product, hosts, permissions, tables, hooks and a half that it had not; signs in by TRELLIS_EMAIL and TRELLIS_PASSWORD, or TRELLIS_TOKEN',
  async run(args) {
    const { named, values, flags } = readArguments(args, ['data', 'server', 'to'], ['agree']);
    if (values.data !== undefined && values.to !== undefined)
      throw new UsageError('Either --data, for a product that runs here, or --to, for one elsewhere.');
    if (values.data === undefined && values.to === undefined)
      throw new UsageError(
        'Where does the product keep its data? It finds the plugin there: --data <folder>. One that runs elsewhere takes it at its address: --to <address>',
      );
    const folder = await realpath(namedFolder(named[0]));
    const agrees = flags.agree === true;
    const halves = new ChangedHalves(folder);
    if (values.to !== undefined) {
      const elsewhere = await ProductClient.signIn(addressOf(values.to), process.env);
      await elsewhere.assertMayInstall();
      await workOnChanges(folder, elsewhere, (changed) =>
        bringElsewhere(folder, elsewhere, agrees, () => halves.build(changed)),
      );
      return 0;
    }
    const data = namedFolder(values.data);
    await assertDataFolder(data);
    const product = await productHere(values.server === undefined ? undefined : addressOf(values.server));
    await product.assertMayInstall();
    await workOnChanges(folder, product, (changed) =>
      bringIntoService({ folder, data, product, agrees }, () => halves.build(changed)).catch(askToAgree),
    );
    return 0;
  },
};

/** The product whose data folder this is. @throws Error with the solution if it is not at the default address */
async function productHere(server: string | undefined): Promise<ProductClient> {
  const usual = 'http://127.0.0.1:8080';
  try {
    return await ProductClient.signIn(server ?? usual, process.env);
  } catch (error) {
    if (server !== undefined || !(error instanceof ProductAway)) throw error;
    throw new Error(`${error.message} One that listens elsewhere is named by --server <address>.`, {
      cause: error,
    });
  }
}

/** @throws UsageError for anything that is not a product's address */
function addressOf(text: string): string {
  const address = URL.canParse(text) ? new URL(text) : undefined;
  if (address === undefined || !['http:', 'https:'].includes(address.protocol))
    throw new UsageError(`'${text}' is no address of a product, such as https://trellis.example.com.`);
  if (address.protocol === 'http:' && !['localhost', '127.0.0.1', '[::1]'].includes(address.hostname))
    say(`${address.origin} is not https: whoever listens in between reads the password and the plugin.`);
  return address.origin;
}

/** A plugin, and the product that should run it. */
interface ServiceHere {
  readonly folder: string;
  /** The product's data folder. */
  readonly data: string;
  readonly product: ProductClient;
  readonly agrees: boolean;
}

/** @throws the given error, with the solution if nobody has agreed to what the plugin asks for */
function askToAgree(error: unknown): never {
  if (!(error instanceof ProductRefusal) || error.code !== 'PLUGIN_NEEDS_CONSENT') throw error;
  throw new Error(`${error.message}. Agree by --agree, or where you switch it on in the app store.`, {
    cause: error,
  });
}

/** Builds, and lets the product load the build. */
async function bringIntoService(
  { folder, data, product, agrees }: ServiceHere,
  build: () => Promise<BuiltPlugin>,
): Promise<void> {
  const started = performance.now();
  const { halves } = await build();
  const manifest = await readManifest(folder);
  const { id, version } = manifest;
  const consent = agrees ? pluginAsks(manifest, halves) : {};
  await linkInto(join(data, 'plugins', id), version, folder);
  const { failed } = await product.rescan();
  const refusal = failed.find((plugin) => plugin.id === id);
  if (refusal !== undefined && !agrees)
    throw new ProductRefusal(`The product refuses it: ${refusal.reason}`, refusal.code);
  const found = await product.find(id);
  if (found === undefined)
    throw new Error(`The product does not find it in ${data}; is that its data folder?`);
  // Somebody may have chosen another version, which stays in use when a newer one is found.
  if (found.version !== version || refusal !== undefined) await product.use(id, version, consent);
  if (found.state !== 'enabled') await product.enable(id, consent);
  say(`'${id}' is in service after ${Math.round(performance.now() - started)} ms`);
}

/** Links the plugin where the product looks for this version, and removes the links of its former versions. */
async function linkInto(home: string, version: string, folder: string): Promise<void> {
  await mkdir(home, { recursive: true });
  const others = (await readdir(home)).filter((name) => name !== version);
  for (const name of others)
    if ((await targetOf(join(home, name))) === folder) await unlink(join(home, name));
  const link = join(home, version);
  if ((await lstat(link).catch(() => undefined)) === undefined) await symlink(folder, link, 'junction');
  else if ((await targetOf(link)) !== folder)
    throw new Error(
      `plugin.json says version ${version}, which is installed in ${link}; say another one there, such as ${freeVersion(version, others)}, or remove the plugin in the app store.`,
    );
}

/** The next unused version. */
function freeVersion(version: string, others: readonly string[]): string {
  const next = nextVersion(version, 'patch') ?? version;
  return others.includes(next) ? freeVersion(next, others) : next;
}

/** A link's target; undefined if it is not a link. */
async function targetOf(path: string): Promise<string | undefined> {
  if (!(await lstat(path)).isSymbolicLink()) return undefined;
  return resolve(dirname(path), await readlink(path));
}

/** Repeats the check until the signal aborts. */
async function lookAgain(look: () => Promise<void>, signal: AbortSignal): Promise<void> {
  while (await delay(lookEvery, true, { signal }).catch(() => false)) await look();
}

/**
 * Works once, and again after each change of the sources, until the process is asked to end. Failures are shown here and on the
 * product's pages until it works again; type errors and the plugin's errors in use are shown only here.
 */
async function workOnChanges(
  folder: string,
  product: ProductClient,
  work: (changed: ReadonlySet<string>) => Promise<void>,
): Promise<void> {
  const end = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => end.abort());
  /** The id under which pages show problems now; undefined if there are none. */
  let shownAs: string | undefined;
  /** The reason why the last build is not in use; empty if it is. */
  let refusal = '';
  const types = new TypesBeside(folder);
  const errors = new ErrorsInUse(product);
  const idOf = async () => (await readManifest(folder).catch(() => undefined))?.id ?? basename(folder);
  const show = async (mistakes?: string) => {
    if (shownAs !== undefined) await product.showMistakes(shownAs, mistakes);
    if (mistakes === undefined) shownAs = undefined;
  };
  const workOnce = async (changed: ReadonlySet<string>) => {
    types.end();
    try {
      await work(changed);
      refusal = '';
      types.check();
      await show();
    } catch (error) {
      tell(error);
      refusal = messageOf(error);
      shownAs ??= await idOf();
      await show(refusal);
    }
  };
  const tellErrors = async () => {
    for (const { where, message } of await errors.since(await idOf()))
      // The reason for the refusal has reported it already.
      if (!refusal.includes(message)) tell(`${where}: ${message}`);
  };
  let running = Promise.resolve();
  const run = (changed: ReadonlySet<string>) => {
    // Before the next build, so that its report contains no errors of this one.
    running = running.then(() => workOnce(changed)).then(tellErrors);
  };
  // Between builds, so that the reason for a refusal is known.
  const look = () => (running = running.then(tellErrors));
  await aloneIn(folder, async () => {
    // Earlier errors do not belong to this build.
    await errors.since(await idOf());
    run(new Set());
    say(`Watching ${folder}; Ctrl+C ends it, and leaves the last build in service`);
    const looking = lookAgain(look, end.signal);
    await watchSources(folder, run, end.signal);
    await Promise.all([running, looking]);
    types.end();
    await show();
  });
}
