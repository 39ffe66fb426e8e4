import { installedFile, packageOf } from './import-places.ts';
import { sharedModules } from './shared-modules.ts';

/** What a file would be a second copy of, and how to import the page's own. */
export interface SecondCopy {
  readonly of: string;
  readonly wayOut: string;
}

const ids = sharedModules.map(({ id }) => id);

/** Packages that a page may contain only once: a second copy does not share the first one's state. */
const wholes = new Set([
  ...ids.filter((id) => !id.includes('/')),
  // `react-router-dom` consists of it.
  'react-router',
]);

/** Modules of packages that the page otherwise shares only in part: what it does not share of them, plugins may bring. */
const parts = ids.filter((id) => !wholes.has(packageOf(id)));

export const wayToReact = `import it as one of ${ids.filter((id) => id.startsWith('react')).join(', ')}`;

/** What a page would have twice with this file; undefined if it may be part of a half. */
export function secondCopyIn(file: string): SecondCopy | undefined {
  const { name, path } = installedFile(file) ?? {};
  if (name === undefined || path === undefined) return undefined;
  if (wholes.has(name)) return { of: name, wayOut: wayToReact };
  const part = parts.find((id) => path.startsWith(`${id}/`));
  if (part !== undefined) return { of: part, wayOut: `import it as '${part}'` };
  const like = parts.find((id) => packageOf(id) === name);
  // The files beside the parts hold all of them.
  const isAll = !path.slice(name.length + 1).includes('/');
  return like !== undefined && isAll
    ? { of: name, wayOut: `import its parts, such as '${like}'` }
    : undefined;
}
