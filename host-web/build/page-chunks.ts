import { relative, sep } from 'node:path';
import type { Rolldown } from 'vite';

/** What whoever draws anything needs; it changes with its packages alone, so that a browser keeps it over our releases. */
const ofReact =
  /^node_modules\/(react|react-dom|scheduler|react-redux|react-router|react-router-dom|use-sync-external-store)\//;

/** Core, the small parts of the SDK and its kit. The grid, rows and views come when they are drawn. */
const ofSdk = /^(core\/.+|sdk\/shared\/.+|sdk\/web\/((ui|extensions)\/)?[^/]+)\.tsx?$/;

/** Rows, and what views of them share, but for the choice of a row, which forms of strangers draw as well; of the grid, what its neighbours use too. The grid itself and cards come with the views that draw them. */
const ofRows =
  /^sdk\/web\/(rows\/.+|views\/(?!Row(Finder|Picker)|use-found-rows).+|grid\/(cells-in-sight|grid-shortcuts|lazy-grid|row-scale|use-element-size|use-grid-columns))\.tsx?$/;

/** What the dialogs, tabs and progress of the kit are made of. PrimeReact's other controls stay with the widgets that are made of them. */
const ofDialogs =
  /^(node_modules\/(primereact\/(api|componentbase|csstransition|dialog|hooks|iconbase|icons|portal|progressbar|ripple|tabview|utils)|react-transition-group|dom-helpers|@babel\/runtime)\/|virtual:primereact-theme|sdk\/web\/ui\/(Dialog|Progress|Tabs)\.tsx$)/;

/** The style of a plugin, and the module that a plugin begins with. */
const ofPluginStyle = /^plugins\/[^/]+\/web\/.+\.css$/;
const ofPluginEntry = /^plugins\/([^/]+)\/web\/index\.tsx$/;

/** The texts of a plugin in a language, and the page's own. */
const ofPluginTexts = /^plugins\/([^/]+)\/web\/messages\/(\w+)\.json$/;
const ofPageTexts = /^host-web\/i18n\/messages\/(\w+)\.json$/;

/** What the host keeps its state with, since plugins bring reducers of their own; and Vite's function that loads later parts. */
const ofPage =
  /^node_modules\/(@reduxjs\/toolkit\/dist\/redux-toolkit|redux|immer|redux-thunk|reselect)\b|vite\/preload-helper/;

/**
 * Says in which file of the build a module goes. Where nothing is said, the bundler makes a file for each set of entries that share
 * a module: dozens of small ones, and a browser asks for six at a time.
 *
 * - `react`: React and what belongs to it.
 * - `sdk`: what the page and nearly every plugin stand on.
 * - `plugins-style`: the styles with which built-in plugins begin, three dozen of a kilobyte. Those of lazy parts stay with the part.
 */
export function pageChunks(root: string): Rolldown.CodeSplittingNameFunction {
  const pathOf = pathsFrom(root);
  return (id, modules) => {
    const path = pathOf(id);
    if (ofReact.test(path)) return 'react';
    if (ofPage.test(path)) return 'sdk';
    if (ofPluginStyle.test(path)) {
      const importers = modules.getModuleInfo(id)?.importers ?? [];
      return importers.some((importer) => ofPluginEntry.test(pathOf(importer))) ? 'plugins-style' : null;
    }
    // A barrel reaches everything; whoever imports by it needs what it names alone.
    if (!ofSdk.test(path) || path.endsWith('/index.ts')) return null;
    return reaches(id, 'node_modules/primereact/', modules) ? null : 'sdk';
  };
}

/**
 * The same for what comes after the first page, module by module: what these modules import stays where it is.
 *
 * - `kit-dialogs`: what most dialogs are made of.
 * - `rows`: what views of rows stand on.
 */
export function laterChunks(root: string): Rolldown.CodeSplittingNameFunction {
  const pathOf = pathsFrom(root);
  return (id) => {
    const path = pathOf(id);
    if (ofDialogs.test(path)) return 'kit-dialogs';
    return ofRows.test(path) && !path.endsWith('/index.ts') ? 'rows' : null;
  };
}

/**
 * The same for texts, which come in a few files for each language: the page's own in that of the plugins with which every page begins.
 */
export function messageChunks(
  root: string,
  fileOf: ReadonlyMap<string, string>,
): Rolldown.CodeSplittingNameFunction {
  const pathOf = pathsFrom(root);
  return (id) => {
    const path = pathOf(id);
    const [, own] = ofPageTexts.exec(path) ?? [];
    if (own !== undefined) return `messages-${own}-first`;
    const [, plugin = '', locale] = ofPluginTexts.exec(path) ?? [];
    const file = fileOf.get(plugin);
    return file === undefined ? null : `messages-${locale}-${file}`;
  };
}

/**
 * `plugins-shared`: what plugins that come in one file begin with and later parts need as well. For modules of several files alone: the
 * bundler would make a file for each set of those.
 */
export function sharedPluginChunks(
  root: string,
  fileOf: ReadonlyMap<string, string>,
): Rolldown.CodeSplittingNameFunction {
  const pathOf = pathsFrom(root);
  const isEntry = (id: string) => fileOf.has(ofPluginEntry.exec(pathOf(id))?.[1] ?? '');
  return (id, modules) => {
    if (!/^plugins\/.+\.tsx?$/.test(pathOf(id)) || isEntry(id)) return null;
    return reachedFrom(id, isEntry, modules) ? 'plugins-shared' : null;
  };
}

const pathsFrom =
  (root: string) =>
  (id: string): string =>
    relative(root, id).split(sep).join('/');

/** Whether a module imports a package, directly or not. What it loads later does not count. */
function reaches(id: string, wanted: string, modules: Rolldown.ChunkingContext): boolean {
  return meets(
    id,
    (next) => next.includes(wanted),
    (next) => modules.getModuleInfo(next)?.importedIds,
  );
}

/** Whether such a module imports this one, directly or not. What it loads later does not count. */
function reachedFrom(
  id: string,
  isWanted: (id: string) => boolean,
  modules: Rolldown.ChunkingContext,
): boolean {
  return meets(id, isWanted, (next) => modules.getModuleInfo(next)?.importers);
}

function meets(
  id: string,
  isWanted: (id: string) => boolean,
  neighboursOf: (id: string) => readonly string[] | undefined,
): boolean {
  const seen = new Set<string>();
  const open = [id];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    if (isWanted(next)) return true;
    open.push(...(neighboursOf(next) ?? []));
  }
  return false;
}
