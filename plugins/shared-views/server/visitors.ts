import { principalsOfVisitors, type Principal, type ScopeRule } from '@trellis/sdk/server';
import type { ViewLinks } from './links.ts';

const id = 'shared-views';

/** What is asked of a shared view; each call is narrowed to one of them. */
export const permissionsFor = {
  look: ['tableGet', 'dataList', 'dataCount'],
  read: ['tableGet', 'dataList', 'dataCount', 'dataGroupBy'],
  linked: ['tableGet', 'hmList', 'mmList'],
  download: ['tableGet', 'dataList', 'exportCsv'],
  submit: ['tableGet', 'dataInsert'],
  candidates: ['tableGet', 'dataList', 'dataCount'],
  /** What is done for the sender once a row has been added: its links, and taking it back where they cannot be set. */
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

/** What a visitor may ask for. */
export type VisitorAct = Exclude<keyof typeof permissionsFor, 'link'>;

const all = new Set<string>(Object.values(permissionsFor).flat());

/** The principals of visitors, one for each link: nobody gets one by a header, only by the public calls. */
export function createVisitors(): (uuid: string) => Principal {
  return principalsOfVisitors('sharedView', id);
}

/** A visitor has rights in the project of the link alone; which columns and rows, is said for each call by the view as it is then. */
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
