import type { CredentialResolver, Principal, ScopeRule } from '@trellis/sdk/server';
import { isShareId, visitorHeader } from '../shared/index.ts';
import type { Shares } from './shares.ts';

const id = 'shared-base';
/** Visitors whose principal is remembered. */
const mostRemembered = 1000;

/** What visitors may do at the most: no people, no audit, no settings. */
const reading = [
  'projectGet',
  'tableList',
  'tableGet',
  'viewList',
  'columnList',
  'sortList',
  'filterList',
  'dataList',
  'dataRead',
  'dataExist',
  'dataFindOne',
  'dataGroupBy',
  'dataCount',
  'exportCsv',
  'hmList',
  'mmList',
];
const permissionsOf = {
  viewer: new Set(reading),
  editor: new Set([
    ...reading,
    'dataInsert',
    'dataUpdate',
    'dataDelete',
    'bulkDataInsert',
    'bulkDataUpdate',
    'bulkDataDelete',
    'relationDataAdd',
    'relationDataRemove',
    'hmExcludedList',
    'mmExcludedList',
    'btExcludedList',
  ]),
} as const;

/**
 * Whoever sends the id is a visitor, also somebody who is signed in. Whether the id opens anything is the rule's to say, whose answer is
 * forgotten with every change: a closed project is closed to those who are there, too.
 */
export function visitorResolver(): CredentialResolver {
  const known = new Map<string, Principal>();
  return {
    id,
    order: 50,
    carries: ({ headers }) => headers[visitorHeader] !== undefined,
    resolve({ headers }) {
      const uuid = headers[visitorHeader];
      if (uuid === undefined || !isShareId(uuid)) return undefined;
      let principal = known.get(uuid);
      if (principal === undefined) {
        if (known.size >= mostRemembered) known.clear();
        principal = Object.freeze({
          kind: 'sharedBase',
          id: '',
          email: '',
          accountRoles: [],
          credentialId: uuid,
          scopeRules: [id],
        } as const);
        known.set(uuid, principal);
      }
      return principal;
    },
  };
}

/** What a visitor may do: in the project that the id opens what its role may, elsewhere nothing. */
export function visitorRule(shares: Shares): ScopeRule {
  return {
    id,
    async narrow({ principal, projectId }) {
      if (principal.kind !== 'sharedBase' || principal.scopeRules?.includes(id) !== true) return undefined;
      const share = projectId === undefined ? undefined : await shares.byUuid(principal.credentialId ?? '');
      if (share === undefined || share.projectId !== projectId) return { permissions: new Set() };
      return { permissions: permissionsOf[share.role], maximumRole: share.role };
    },
  };
}
