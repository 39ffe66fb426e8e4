import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ErrorBudget, longestHook, manifestSchema, SDK_CONTRACT, type HookDefinition } from '@trellis/core';
import { pagePolicy } from '../../host-server/http/page-policy.ts';
import { createServerHooks } from '../../host-server/plugins/server-hooks.ts';
import { createServerRegistries } from '../../host-server/plugins/server-registries.ts';
import { webAbsentPolicies } from '../../sdk/web/create-registries.ts';
import { webHookDefinitions } from '../../sdk/web/hooks-catalogue.ts';
import { drawPicture, type PlaceKind } from './draw-picture.ts';
import { pagePictures } from './page-pictures.ts';
import { examplePath, exampleSource, type WorkedExample, WorkedExamples } from './worked-examples.ts';

// Jest and npm both start at the root; once bundled, this file's own address is in a cache.
const root = process.cwd();

/** The file with the lists. */
export const referenceFile = join(root, 'sdk/README.md');

const begin = '<!-- The lists below are generated: npm run sdk:reference -->';
const end = '<!-- The end of what is generated -->';

/** The README with the current lists from the catalogues. @throws Error if the markers of the place are missing */
export function withReference(readme: string): string {
  const [from, to] = [readme.indexOf(begin), readme.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`sdk/README.md must hold '${begin}' and '${end}'.`);
  return `${readme.slice(0, from + begin.length)}\n\n${reference()}\n\n${readme.slice(to)}`;
}

function reference(): string {
  return [
    section('Hooks of the server (`ServerHooks`)', hookHead, serverHooks(), howHooksRun),
    section('Hooks of the page (`WebHooks`)', hookHead, webHooks()),
    section(
      'Registries of the server (`ServerRegistries`)',
      ['registry', 'item', 'when nobody provides a stored id'],
      serverRegistries(),
    ),
    section(
      'Registries of the page (`WebRegistries`)',
      ['registry', 'item', 'when nobody provides a stored id', 'drawn in'],
      webRegistries(),
    ),
    section(
      'Registries that plugins of the product define',
      ['registry', 'half', 'item', 'defined by', 'when nobody provides a stored id'],
      pluginRegistries(),
      'Whoever fills one depends on the plugin that defines it. Another plugin’s registries are said by that plugin.',
    ),
    section('Places of the page', ['item', 'key', 'place', 'drawn in'], slots()),
    pagePictures.map(({ name, title }) => `![${title}](${picturePath(name)})`).join('\n\n'),
    section(
      'Worked examples',
      ['of', 'template', 'example, where it is smallest', 'tested by'],
      examplesOfPackage(),
      'Templates are those of `create-trellis-plugin`; paths begin at `node_modules/@trellis/sdk/`. Each example is a whole plugin, many of them parts\nof the product: `acme-...` was written to be read. To begin with one, copy its folder out of the package, give it an id of its own: the\nfolder’s name, and wherever the old one stands in its files. Then run `npm install` in it: its `package.json` names the SDK and what else it imports. Where the\nSDK is in no registry, name its archive there: `file:../trellis-sdk-1.0.0.tgz`.',
    ),
    section('Tokens of the page', ['custom property', 'light', 'dark'], tokens()),
    section('Content-security policy of the page', ['directive', 'sources'], policy()),
    section('`plugin.json`', ['key', 'needed', 'what it says'], manifestKeys()),
    section(
      '`contributes`',
      ['key', 'what it says'],
      [...contributionComments()].map(([key, comment]) => [code(key), comment]),
      'Every other key is the id of a registry, of the product or of another plugin, with a list of what `setup` registers there: `{ "id": ..., "label": ... }`.',
    ),
  ].join('\n\n');
}

/** The style sheet's properties that themes and plugins share; the dark value is only given if it differs. */
function tokens(): Rows {
  const [light = '', dark = ''] = read('host-web/theme/tokens.css')
    .split('}')
    .filter((block) => /^\s*--trellis-surface:/m.test(block));
  const valuesIn = (block: string) =>
    new Map(
      [...block.matchAll(/^\s*(--trellis-[\w-]+):\s*([^;\n]+);/gm)].map(([, name = '', value = '']) => [
        name,
        value,
      ]),
    );
  const ofDark = valuesIn(dark);
  return [...valuesIn(light)].map(([name, value]) => [
    code(name),
    code(value),
    ofDark.has(name) ? code(ofDark.get(name) ?? '') : '',
  ]);
}

/** The custom properties that themes can set, as a theme names them. */
export function themeProperties(): readonly string[] {
  const names = read('host-web/theme/tokens.css').matchAll(/^\s*--trellis-([\w-]+):/gm);
  return [...new Set([...names].map(([, name = '']) => name))].toSorted();
}

/** The directives without the page's inline scripts. */
function policy(): Rows {
  return Object.entries(pagePolicy([])).map(([directive, sources]) => [
    code(directive.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)),
    sources.map(code).join(', '),
  ]);
}

type Rows = readonly (readonly string[])[];

const hookHead = ['hook', 'kind', 'given', 'order', 'may refuse', 'time limit', 'when'];

/** The explanation of the table's words. */
const howHooksRun = `A handler gets what is *given* as its arguments, read-only. One that runs *in turn* runs before the act: by the \`order\` that \`tap\` was
given (0 without one), then as it was tapped; \`before\` and \`after\` name plugins and win over that. In a \`waterfall\` each gets as its first argument what
the one before it returned, and \`undefined\` keeps the value; a \`bail\` hook ends with the first handler that answers. Handlers of a \`did\` hook run *all at
once* after the act, which stands whatever becomes of them. Who *may refuse* does so by a \`Veto\`, and the act is refused too where such a handler breaks or is
late; what breaks or is late elsewhere is passed over. The declarations of \`ServerHooks\` and \`WebHooks\` say more of each.`;

function serverHooks(): Rows {
  const given = givenTo('sdk/server/hooks.ts', 'HostServerHooks');
  const hooks = createServerHooks({ budget: new ErrorBudget(), onContained: () => undefined });
  return hooks.list().map((hook) => hookRow(hook, given));
}

function webHooks(): Rows {
  const given = givenTo('sdk/web/hooks-catalogue.ts', 'HostWebHooks');
  return Object.entries(webHookDefinitions)
    .toSorted(byFirst)
    .map(([id, hook]) => hookRow({ id, ...hook }, given));
}

function hookRow(
  { id, kind, policy, description }: HookDefinition,
  given: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  const isAfter = kind === 'did';
  return [
    code(id),
    kind,
    (given.get(id) ?? ['?']).map(code).join(', '),
    isAfter ? 'all at once' : 'in turn',
    policy === 'propagate' ? 'yes' : 'no',
    isAfter ? 'none' : `${longestHook / 1000} s`,
    description,
  ];
}

/** The argument types of each hook in a catalogue, by the hook's id. */
function givenTo(file: string, catalogue: string): ReadonlyMap<string, readonly string[]> {
  const body = read(file).split(`export interface ${catalogue} {`)[1]?.split('\n}')[0] ?? '';
  const specs = body.matchAll(/^ {2}'([\w.]+)': (\w+)Spec<([^]*?)>;$/gm);
  return new Map(
    [...specs].map(([, id = '', kind = '', types = '']) => {
      const parts = partsOf(types.replaceAll(/\breadonly /g, '').replaceAll(/\s+/g, ' '));
      // The second type of a waterfall hook is its result.
      return [id, parts.slice(0, kind === 'Waterfall' ? 2 : 1)];
    }),
  );
}

/** Splits types at commas, except at commas within a type. */
function partsOf(types: string): readonly string[] {
  const parts = [''];
  let depth = 0;
  for (const letter of types) {
    depth += '<{[('.includes(letter) ? 1 : '>}])'.includes(letter) ? -1 : 0;
    if (letter === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += letter;
  }
  return parts.map((part) => part.trim().replaceAll(/;? \}/g, ' }')).filter((part) => part !== '');
}

/** Nothing that could fail is registered here. */
const noErrors = { report: () => undefined, charge: () => undefined };
const noLimits = { isLimited: () => false, nameOf: (id: string) => id };

function serverRegistries(): Rows {
  const items = members('sdk/server/registries.ts', 'HostServerRegistries');
  const registries = createServerRegistries(noErrors, noLimits);
  return registries
    .ids()
    .toSorted()
    .map((id) => [code(id), code(items.get(id) ?? '?'), registries.get(id as 'jobs').absentPolicy]);
}

/** For registries whose items name the place where they are drawn. */
const byPlaces = '[the place that an item names](#places-of-the-page)';

function webRegistries(): Rows {
  const items = members('sdk/web/registries.ts', 'HostWebRegistries');
  return Object.entries(webAbsentPolicies)
    .toSorted(byFirst)
    .map(([id, policy]) => [code(id), code(items.get(id) ?? '?'), policy, picturesOf(id) || byPlaces]);
}

/** The ids of the product's own registries, of both halves. */
export function registryIds(): readonly string[] {
  return [
    ...new Set([...createServerRegistries(noErrors, noLimits).ids(), ...Object.keys(webAbsentPolicies)]),
  ].toSorted();
}

/** What the items of each registry are, by its id: of the product's own registries, and of those that its plugins define. */
export function registryComments(): ReadonlyMap<string, string> {
  const own = [...serverRegistries(), ...webRegistries()].map(([id, item, policy]) => [id, item, policy, '']);
  const ofPlugins = pluginRegistries().map(([id, , item, plugin, policy]) => [
    id,
    item,
    policy,
    ` The registry is defined by ${plugin}, which must be among the dependencies.`,
  ]);
  return new Map(
    [...own, ...ofPlugins].map(([id = '', item, policy, by]) => [
      id.replaceAll('`', ''),
      `Items of the type ${item}. When nobody provides a stored id: ${policy}${by}`,
    ]),
  );
}

/** The registries that the product's plugins define by `ctx.registries.define`, from their sources. */
function pluginRegistries(): Rows {
  const items = {
    server: members('sdk/server/registries.ts', 'PluginServerRegistries'),
    web: members('sdk/web/registries.ts', 'PluginWebRegistries'),
  };
  // This one is declared with its items.
  const schedules = /interface ServerRegistries \{\s+scheduledActions: (\w+);/.exec(
    read('sdk/server/extensions/schedules.ts'),
  );
  return definedByPlugins().map(({ id, half, plugin, policy }) => [
    code(id),
    half === 'server' ? 'server' : 'page',
    code(items[half].get(id) ?? (id === 'scheduledActions' ? schedules?.[1] : undefined) ?? '?'),
    code(plugin),
    policy,
  ]);
}

interface DefinedRegistry {
  readonly id: string;
  readonly half: 'server' | 'web';
  readonly plugin: string;
  readonly policy: string;
}

function definedByPlugins(): readonly DefinedRegistry[] {
  const definition = /\bregistries\.define\(\s*'([\w.]+)',\s*\{\s*absentPolicy:\s*'([^']*)'/g;
  return readdirSync(join(root, 'plugins'), { recursive: true })
    .map((name) => String(name).replaceAll('\\', '/'))
    .filter((file) => /^[\w-]+\/(server|web)\/.*\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
    .flatMap((file) => {
      const [plugin = '', half] = file.split('/');
      return [...read(join('plugins', file)).matchAll(definition)].map(([, id = '', policy = '']) => ({
        id,
        half: half === 'server' ? ('server' as const) : ('web' as const),
        plugin,
        policy,
      }));
    })
    .toSorted((one, other) => byFirst([`${one.id} ${one.half}`], [`${other.id} ${other.half}`]));
}

/** The ids of the registries that the product's plugins define, of both halves. */
export function pluginRegistryIds(): readonly string[] {
  return [...new Set(definedByPlugins().map(({ id }) => id))];
}

/** An interface's members with the names of their types, from its source. */
function members(file: string, name: string): ReadonlyMap<string, string> {
  const body = read(file).split(`export interface ${name} {`)[1]?.split('\n}')[0] ?? '';
  return new Map([...body.matchAll(/^ {2}(\w+): ([\w<>]+);/gm)].map(([, id = '', type = '']) => [id, type]));
}

/** A place of the page that items name, and the key that names it. */
interface NamedPlace {
  readonly id: string;
  readonly item: string;
  readonly key: 'slot' | 'menu';
  readonly word: string;
}

/** The keys of items whose type is a union of words. */
function namedPlaces(): readonly NamedPlace[] {
  const folder = 'sdk/web/extensions';
  const source = readdirSync(join(root, folder))
    .map((name) => read(join(folder, name)))
    .join('\n');
  return [...source.matchAll(/export interface (\w+)[^{]*\{([^]*?)\n\}/g)].flatMap(
    ([, item = '', body = '']) =>
      [...body.matchAll(/readonly (slot|menu): ((?:\s*\|?\s*'[\w-]+')+)/g)].flatMap(([, key, words = '']) =>
        [...words.matchAll(/'([\w-]+)'/g)].map(([, word = '']) =>
          key === 'menu'
            ? { id: `menu ${word}`, item, key, word }
            : { id: word, item, key: 'slot' as const, word },
        ),
      ),
  );
}

/** Every place that a picture must show: those that items name, and registries whose items name none. */
export function placesOfPage(): ReadonlyMap<string, PlaceKind> {
  const named = namedPlaces();
  const items = members('sdk/web/registries.ts', 'HostWebRegistries');
  const whole = Object.keys(webAbsentPolicies).filter(
    (id) => !named.some(({ item }) => item === items.get(id)),
  );
  return new Map([
    ...named.map(({ id, key }) => [id, key] as const),
    ...whole.map((id) => [id, 'registry'] as const),
  ]);
}

function slots(): Rows {
  return namedPlaces()
    .toSorted((one, other) => byFirst([one.item], [other.item]))
    .map(({ id, item, key, word }) => [code(item), code(key), code(word), picturesOf(id)]);
}

/** Links to the pictures that show a place. */
function picturesOf(place: string): string {
  return pagePictures
    .filter(({ boxes }) => boxes.some((box) => box.place === place))
    .map(({ name }) => `[${name}](${picturePath(name)})`)
    .join(', ');
}

/** The folder of the pictures, next to the book. */
export const pictureFolder = 'pictures';

function picturePath(name: string): string {
  return `${pictureFolder}/${name}.svg`;
}

/** The pictures of all places, as files next to the book. @throws Error for a box with an unknown place */
export function pictureFiles(): ReadonlyMap<string, string> {
  const places = placesOfPage();
  const kindOf = (place: string): PlaceKind => {
    const kind = places.get(place);
    if (kind === undefined) throw new Error(`'${place}' is no place of the page; draw it no longer.`);
    return kind;
  };
  return new Map(pagePictures.map((picture) => [`${picture.name}.svg`, drawPicture(picture, kindOf)]));
}

/** The ids of the product's own hooks, of both halves. */
export function hookIds(): readonly string[] {
  return [...serverHooks(), ...webHooks()].map(([id = '']) => id.replaceAll('`', ''));
}

/** The hooks with which a plugin changes or refuses operations. */
export function decisiveHookIds(): readonly string[] {
  return [...serverHooks(), ...webHooks()]
    .filter(([, kind]) => kind !== 'did')
    .map(([id = '']) => id.replaceAll('`', ''));
}

/** Hooks that plugins tap by a function of the SDK. */
const functionOfHook = new Map([['rows.didPurge', 'followRows']]);

function patternOfHook(id: string): RegExp {
  const tapped = `\\btap\\(\\s*'${id.replace('.', '\\.')}'`;
  const by = functionOfHook.get(id);
  return new RegExp(by === undefined ? tapped : `${tapped}|\\b${by}\\(`);
}

/** A working example of each registry and hook, and its test. */
export function workedExamples(): readonly (WorkedExample & { readonly id: string })[] {
  const examples = new WorkedExamples(root);
  const kinds = [
    ...[...registryIds(), ...pluginRegistryIds()].map((id) => ({
      id,
      pattern: new RegExp(`\\bregister\\(\\s*'${id}'`),
    })),
    ...hookIds().map((id) => ({ id, pattern: patternOfHook(id) })),
  ];
  return kinds.map(({ id, pattern }) => {
    return { id, ...examples.of(pattern, id) };
  });
}

/** The examples in the form for authors: files that the SDK's package does not contain are omitted. */
function examplesOfPackage(): Rows {
  return workedExamples().map(({ id, template, file = '', test = '' }) =>
    [id, template, examplePath(file), examplePath(test)].map((part) =>
      part === undefined ? '' : code(part),
    ),
  );
}

/** The folders of the plugins that the SDK's package contains as examples, and the longest one, which the book also names. */
export function exampleFolders(): readonly string[] {
  const files = workedExamples()
    .flatMap(({ file = '', test = '' }) => [file, test])
    .filter((file) => examplePath(file) !== undefined);
  return [...new Set([...files.map(exampleSource), 'plugins/column-rating'])].toSorted();
}

/** A manifest's keys from its schema, with their comments. */
function manifestKeys(): Rows {
  const comments = manifestComments();
  const required = new Set(manifestSchema.required);
  return Object.keys(manifestSchema.properties ?? {})
    .filter((key) => key !== '$schema')
    .map((key) => [code(key), required.has(key) ? 'yes' : '', comments.get(key) ?? '']);
}

/** The comments of the manifest type's keys. */
export function manifestComments(): ReadonlyMap<string, string> {
  return commentsIn('PluginManifest')
    .set('sdk', `The number of the SDK contract that it was written for: ${SDK_CONTRACT} with this SDK.`)
    .set('$schema', 'The address of this schema, by which editors find it.');
}

/** The comments of the keys of `contributes` that are not registries. */
export function contributionComments(): ReadonlyMap<string, string> {
  return commentsIn('PluginContributions');
}

/** The comments of a manifest type's keys. */
function commentsIn(type: string): Map<string, string> {
  const [, rest = ''] = read('core/plugins/plugin-manifest.ts').split(`export interface ${type} {`);
  const [body = ''] = rest.split('\n}');
  return new Map(
    [...body.matchAll(/(?:\/\*\*\s([^]*?)\s\*\/\s+)?readonly (\w+)\??:/g)].map(
      ([, comment = '', key = '']) => [
        key,
        comment
          .replaceAll(/\s*\n\s*\*\s+/g, ' ')
          .replace(/^\s*\*\s/, '')
          .trim(),
      ],
    ),
  );
}

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

function code(text: string): string {
  return `\`${text}\``;
}

function byFirst(left: readonly unknown[], right: readonly unknown[]): number {
  return String(left[0]) < String(right[0]) ? -1 : 1;
}

/** A heading and a table in the formatter's layout. */
function section(title: string, head: readonly string[], rows: Rows, words?: string): string {
  const cells = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = head.map((_, at) => Math.max(3, ...cells.map((row) => row[at]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  const [first = [], ...others] = cells;
  const lead = words === undefined ? '' : `${words}\n\n`;
  return `### ${title}\n\n${lead}${[line(first), rule, ...others.map(line)].join('\n')}`;
}
