import { relative, sep } from 'node:path';
import type { Rolldown } from 'vite';

/** Packages that everything drawn needs. The file changes only with these packages, so browsers keep it across releases. */
const ofReact =
  /^node_modules\/(react|react-dom|scheduler|react-redux|react-router|react-router-dom|use-sync-external-store)\//;

/** Core, the small parts of the SDK and its components. The grid, rows and views are loaded when they are drawn. */
const ofSdk = /^(core\/.+|sdk\/shared\/.+|sdk\/web\/((ui|extensions)\/)?[^/]+)\.tsx?$/;

/**
 * Rows, and what views of rows share. Excluded is the row picker, which public forms also draw. Of the grid, only modules that
 * other parts use are included; the grid itself and the cards are loaded with the views that draw them.
 */
const ofRows =
  /^sdk\/web\/(rows\/.+|views\/(?!Row(Finder|Picker)|use-found-rows).+|grid\/(cells-in-sight|grid-shortcuts|lazy-grid|row-scale|use-element-size|use-grid-columns))\.tsx?$/;

/** What the SDK's dialogs, tabs and progress bars are made of. PrimeReact's other controls stay with the widgets that use them. */
const ofDialogs =
  /^(node_modules\/(primereact\/(api|componentbase|csstransition|dialog|hooks|iconbase|icons|portal|progressbar|ripple|tabview|utils)|react-transition-group|dom-helpers|@babel\/runtime)\/|virtual:primereact-theme|sdk\/web\/ui\/(Dialog|Progress|Tabs)\.tsx$)/;

/** A plugin's styles and its entry module. */
const ofPluginStyle = /^plugins\/[^/]+\/web\/.+\.css$/;
const ofPluginEntry = /^plugins\/([^/]+)\/web\/index\.tsx$/;

/** A plugin's texts in one language, and the page's own texts. */
const ofPluginTexts = /^plugins\/([^/]+)\/web\/messages\/(\w+)\.json$/;
const ofPageTexts = /^host-web\/i18n\/messages\/(\w+)\.json$/;

/** The packages of the host's state, because plugins bring their own reducers; and Vite's function that loads later parts. */
const ofPage =
  /^node_modules\/(@reduxjs\/toolkit\/dist\/redux-toolkit|redux|immer|redux-thunk|reselect)\b|vite\/preload-helper/;

/**
 * Assigns a module to a file of the build. Without this, the bundler makes a file for each set of entries that share a module:
 * dozens of small files, while a browser requests six at a time.
 *
 * - `react`: React and what belongs to it.
 * - `sdk`: what the page and nearly every plugin need.
 * - `plugins-style`: the initial styles of built-in plugins, about 36 files of a kilobyte each. Those of lazy parts stay with these
 *   parts.
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
    // A barrel file reaches everything, but its importers need only the names that they import.
    if (!ofSdk.test(path) || path.endsWith('/index.ts')) return null;
    return reaches(id, 'node_modules/primereact/', modules) ? null : 'sdk';
  };
}

/**
 * The same for modules that are loaded after the first page, one by one: their imports stay where they are.
 *
 * - `kit-dialogs`: what most dialogs are made of.
 * - `rows`: what views of rows need.
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
 * The same for texts, which are put in a few files per language. The page's own texts are in the file of those plugins that every
 * page needs.
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
 * `plugins-shared`: modules that both joined plugins and later parts need. It takes only modules that several files use, because
 * the bundler would make a file for each set of these files.
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

/** Whether a module imports a package, directly or indirectly. Dynamic imports do not count. */
function reaches(id: string, wanted: string, modules: Rolldown.ChunkingContext): boolean {
  return meets(
    id,
    (next) => next.includes(wanted),
    (next) => modules.getModuleInfo(next)?.importedIds,
  );
}

/** Whether a wanted module imports this one, directly or indirectly. Dynamic imports do not count. */
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
