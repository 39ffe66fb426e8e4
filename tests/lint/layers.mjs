/**
 * The table of allowed imports behind the `trellis/layers` lint rule. It uses only paths and names, so that neither a missing file
 * nor an unusual spelling of a path circumvents it.
 */
import { isBuiltin } from 'node:module';
import { posix } from 'node:path';

const corePackages = ['tapable', 'inversify', 'reflect-metadata', 'ajv', 'semver'];
const serverPackages =
  /^(koa|koa-.+|@koa\/.+|knex|objection|pg|pg-.+|mysql2|better-sqlite3|mssql|tedious|pino|socket\.io|ioredis|bullmq|nodemailer|jose)$/;
const webPackages =
  /^(react|react-dom|react-router|react-router-dom|react-redux|react-i18next|@reduxjs\/toolkit|primereact|primeicons|socket\.io-client)$/;
const containerPackages = /^(inversify|tapable|reflect-metadata)$/;

/**
 * What each layer may import. `ours` lists zones; `own` lists parts of the same plugin; `refuses` lists patterns of package names;
 * `packages`, if present, is the complete list; packages in `typesOf` may only be used with `import type`.
 */
const layers = {
  core: { ours: ['core'], packages: corePackages, node: false },
  'sdk/shared': { ours: ['core', 'sdk/shared'], refuses: [serverPackages, webPackages], node: false },
  'sdk/server': {
    ours: ['core', 'sdk/shared', 'sdk/server'],
    refuses: [webPackages],
    typesOf: serverPackages,
    node: true,
  },
  'sdk/web': { ours: ['core', 'sdk/shared', 'sdk/web'], refuses: [serverPackages], node: false },
  'sdk/testing': {
    ours: ['core', 'sdk/shared', 'sdk/server', 'sdk/web', 'sdk/testing', 'sdk/archive'],
    node: true,
  },
  'sdk/build': {
    ours: ['core', 'sdk/shared', 'sdk/server', 'sdk/web', 'sdk/build', 'sdk/archive'],
    node: true,
  },
  // The programs that pack, install and test plugins all read folders and archives.
  'sdk/archive': { ours: ['core', 'sdk/archive'], refuses: [serverPackages, webPackages], node: true },
  'host-server': {
    ours: ['core', 'sdk/shared', 'sdk/server', 'sdk/archive', 'host-server'],
    refuses: [webPackages],
    node: true,
  },
  'host-web': { ours: ['core', 'sdk/shared', 'sdk/web', 'host-web'], refuses: [serverPackages], node: false },
  'host-web/build': { ours: ['sdk/build', 'host-web', 'host-web/build'], crosses: ['sdk/build'], node: true },
  'plugin/root': { ours: ['sdk/shared'], own: ['root', 'shared'], refuses: [containerPackages], node: true },
  'plugin/shared': {
    ours: ['sdk/shared'],
    own: ['root', 'shared'],
    refuses: [serverPackages, webPackages, containerPackages],
    node: false,
  },
  'plugin/server': {
    ours: ['sdk/shared', 'sdk/server'],
    own: ['root', 'shared', 'server'],
    refuses: [webPackages, containerPackages],
    node: true,
  },
  'plugin/web': {
    ours: ['sdk/shared', 'sdk/web'],
    own: ['root', 'shared', 'web'],
    refuses: [serverPackages, containerPackages],
    node: false,
  },
  'plugin/testing': {
    ours: ['sdk/shared', 'sdk/server', 'sdk/web', 'sdk/testing'],
    own: ['root', 'shared', 'server', 'web', 'testing'],
    refuses: [containerPackages],
    node: true,
  },
};

/** The web host's folders, lower ones first: each may import those before it. `testing` and `main.tsx` are above all. */
const webFolders = [
  'base',
  'api',
  'store',
  'i18n',
  'theme',
  'contain',
  'feedback',
  'live',
  'session',
  'plugins',
  'form',
  'router',
  'shell',
  'pages',
  'app',
];

/** The server's rooms, lower ones first, as in `webFolders`. */
const serverRooms = [
  'sql',
  'dialects',
  'databases',
  'runtime',
  'metadata',
  'access',
  'query',
  'schema',
  'changes',
  'rows',
  'facades',
  'http',
  'plugins',
];

/** The hosts with ordered folders, and their files that are above all folders. */
const orders = {
  'host-web': {
    what: 'folder of the web host that its pages may use',
    folders: webFolders,
    isAbove: (path) => /^[^/]+\/(testing|build)\//.test(path),
  },
  'host-server': {
    what: 'room of the server',
    folders: serverRooms,
    // A room's `bind.ts` may use any room by its token.
    isAbove: (path) => /\/(bind|testing)\.ts$|\/testing\/|^[^/]+\/build\//.test(path),
  },
};

/** Why an import within a host goes upwards, or undefined if it does not. */
function upwards({ what, folders, isAbove }, fromPath, toPath) {
  const [from, to] = [fromPath, toPath].map((path) => path.split('/')[1]);
  const heights = [from, to].map((folder) => folders.indexOf(folder));
  const isFile = (path) => path.split('/').length === 2;
  if (isFile(fromPath) || isAbove(fromPath)) return undefined;
  if (heights.includes(-1)) return `'${heights[0] === -1 ? from : to}' is no ${what}.`;
  return heights[1] > heights[0] ? `'${to}' stands above '${from}'; arrows lead down.` : undefined;
}

const sdkParts = new Set(['shared', 'server', 'web', 'testing', 'build']);
const pluginParts = new Set(['shared', 'server', 'web', 'testing']);

/** The zone of a path relative to the repository, or undefined if no rule applies (tests, stories). */
export function zoneOf(path) {
  const [top, second, third] = path.split('/');
  if (top === 'core') return { zone: 'core', home: 'core' };
  if (top === 'sdk' && second === 'build' && third === 'archive') return { zone: 'sdk/archive', home: 'sdk' };
  // A plugin template may import what a plugin made from it may, and so may an example.
  if (top === 'sdk' && ['templates', 'examples'].includes(second) && third !== undefined) {
    const part = pluginParts.has(path.split('/')[3]) ? path.split('/')[3] : 'root';
    return { zone: `plugin/${part}`, home: `sdk/${second}/${third}`, plugin: third, part };
  }
  if (top === 'sdk') return { zone: `sdk/${sdkParts.has(second) ? second : 'shared'}`, home: 'sdk' };
  if (top === 'host-server') return { zone: 'host-server', home: 'host-server' };
  if (top === 'host-web')
    return { zone: second === 'build' ? 'host-web/build' : 'host-web', home: 'host-web' };
  if (top === 'plugins' && second !== undefined) {
    const part = pluginParts.has(third) ? third : 'root';
    return { zone: `plugin/${part}`, home: `plugins/${second}`, plugin: second, part };
  }
  return undefined;
}

/** Whether a file is a test or a story: those may use any package, Node and the test kit. */
export function isProof(path) {
  return /\.(test|stories)\.tsx?$/.test(path);
}

function packageName(specifier) {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

/** The target of a specifier: a zone, a Node module, or a package. */
function targetOf(specifier, fromPath) {
  if (specifier.startsWith('.')) {
    const path = posix.join(posix.dirname(fromPath), specifier);
    return { kind: 'path', path, ...zoneOf(path) };
  }
  if (specifier.startsWith('/') || specifier.startsWith('file:')) return { kind: 'absolute' };
  if (specifier.startsWith('#')) {
    const match = /^#plugins\/([^/]+)\/shared$/.exec(specifier);
    return match === null ? { kind: 'unknown' } : { kind: 'contract', plugin: match[1] };
  }
  if (specifier.startsWith('@trellis/')) {
    const path = specifier.slice('@trellis/'.length);
    return { kind: 'named', path, ...zoneOf(path) };
  }
  if (isBuiltin(specifier)) return { kind: 'node' };
  return { kind: 'package', name: packageName(specifier) };
}

/**
 * Why a file may not import a specifier, or undefined if it may.
 *
 * @param fromPath the importing file, relative to the repository, with forward slashes
 * @param dependenciesOf gives the ids of the plugins that a plugin's `plugin.json` declares
 */
export function refusal(fromPath, specifier, { typeOnly, dependenciesOf }) {
  const from = zoneOf(fromPath);
  if (from === undefined) return undefined;
  const layer = layers[from.zone];
  const proof = isProof(fromPath);
  const to = targetOf(specifier, fromPath);
  const sentence = (why) => `'${specifier}' may not be imported in ${from.zone}: ${why}`;

  switch (to.kind) {
    case 'absolute':
      return sentence('use a relative path or a package name.');
    case 'unknown':
      return sentence("of another plugin only '#plugins/<id>/shared' is open.");
    case 'node':
      return layer.node || proof ? undefined : sentence('this layer runs where Node does not.');
    case 'package': {
      if (proof) return undefined;
      if (layer.packages !== undefined && !layer.packages.includes(to.name)) {
        return sentence(`it may use ${layer.packages.join(', ')} and no other package.`);
      }
      if (layer.refuses?.some((pattern) => pattern.test(to.name))) {
        return sentence(`package '${to.name}' belongs to another side.`);
      }
      if (layer.typesOf?.test(to.name) && !typeOnly)
        return sentence('only its types may be named (import type).');
      return undefined;
    }
    case 'contract': {
      if (to.plugin === from.plugin) return sentence('inside a plugin, import by relative path.');
      if (from.plugin === undefined) return sentence('hosts and the SDK never import a plugin by name.');
      if (dependenciesOf(from.plugin).includes(to.plugin)) return undefined;
      return sentence(
        `declare '${to.plugin}' under dependencies in plugins/${from.plugin}/plugin.json first.`,
      );
    }
    case 'named':
    case 'path': {
      if (to.zone === undefined) return sentence('it is outside every layer.');
      const inside = to.home === from.home;
      if (to.kind === 'path' && !inside && !layer.crosses?.includes(to.zone)) {
        return sentence('import across packages by name (@trellis/..., #plugins/<id>/shared).');
      }
      if (to.kind === 'named' && inside) return sentence('inside a package, import by relative path.');
      const order = orders[to.home];
      if (inside && order !== undefined && !proof) {
        const why = upwards(order, fromPath, to.path);
        if (why !== undefined) return sentence(why);
      }
      if (to.plugin !== undefined) {
        const parts = proof ? [...layer.own, 'testing', from.part] : layer.own;
        return parts.includes(to.part) ? undefined : sentence(`it may use its own ${layer.own.join(', ')}.`);
      }
      const zones = proof ? [...layer.ours, 'sdk/testing', ...(from.plugin ? [] : [from.zone])] : layer.ours;
      return zones.includes(to.zone) ? undefined : sentence(`of ours it may use ${layer.ours.join(', ')}.`);
    }
  }
}
