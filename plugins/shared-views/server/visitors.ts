import { principalsOfVisitors, type Principal, type ScopeRule } from '@trellis/sdk/server';
import type { ViewLinks } from './links.ts';

const id = 'shared-views';

/** The kinds of access to a shared view; each call is limited to one of them. */
export const permissionsFor = {
  look: ['tableGet', 'dataList', 'dataCount'],
  read: ['tableGet', 'dataList', 'dataCount', 'dataGroupBy'],
  linked: ['tableGet', 'hmList', 'mmList'],
  download: ['tableGet', 'dataList', 'exportCsv'],
  submit: ['tableGet', 'dataInsert'],
  candidates: ['tableGet', 'dataList', 'dataCount'],
  /** Done for the sender after a row was added: setting its links, and deleting it if that is impossible. */
  link: [
    'tableGet',
    'dataList',
    'dataDelete',
    'relationDataAdd',
    'relationDataRemove',
    'bulkDataInsert',
    'bulkDataUpdate',
  ],
} as const;

/** What a visitor may request. */
export type VisitorAct = Exclude<keyof typeof permissionsFor, 'link'>;

const all = new Set<string>(Object.values(permissionsFor).flat());

/** The principals of visitors, one for each link: only the public calls create them, no header does. */
export function createVisitors(): (uuid: string) => Principal {
  return principalsOfVisitors('sharedView', id);
}

/** A visitor has rights only in the link's project; each call is further limited to the view's current columns and rows. */
export function visitorRule(links: ViewLinks): ScopeRule {
  return {
    id,
    async narrow({ principal, projectId }) {
      if (principal.kind !== 'sharedView' || principal.scopeRules?.includes(id) !== true) return undefined;
      const link = projectId === undefined ? undefined : await links.byUuid(principal.credentialId ?? '');
      return { permissions: link !== undefined && link.projectId === projectId ? all : new Set() };
    },
  };
}
