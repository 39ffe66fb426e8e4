import {
  AccessServiceToken,
  principalsOfVisitors,
  SchemaStoreToken,
  snapshotIfThere,
  type ColumnNarrowing,
  type CredentialResolver,
  type Narrowing,
  type ProjectSnapshot,
  type ScopeRule,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import { mayNamePeople } from '@trellis/sdk/shared';
import { isShareId, visitorHeader } from '../shared/index.ts';
import type { Shares } from './shares.ts';

const id = 'shared-base';
const nothing: Narrowing = { permissions: new Set() };

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
export const permissionsOf = {
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
  const principalOf = principalsOfVisitors('sharedBase', id);
  return {
    id,
    order: 50,
    carries: ({ headers }) => headers[visitorHeader] !== undefined,
    resolve({ headers }) {
      const uuid = headers[visitorHeader];
      if (uuid === undefined) return undefined;
      // What is no id opens nothing, and is no way back to one's own rights.
      return principalOf(isShareId(uuid) ? uuid : '');
    },
  };
}

/** What a visitor may do: in the project that the id opens what its role may, but nothing with columns that name people; elsewhere nothing. */
export function visitorRule(ctx: ServerPluginContext, shares: Shares): ScopeRule {
  const access = ctx.get(AccessServiceToken);
  const types = ctx.registry('columnTypes');
  let hasAnswered = false;

  function withoutPeople({ tables }: ProjectSnapshot): ReadonlyMap<string, ColumnNarrowing> {
    return new Map(
      [...tables.values()].flatMap((table): readonly [string, ColumnNarrowing][] => {
        const kept = table.columns.filter(({ type }) => !mayNamePeople(types.get(type)));
        return kept.length === table.columns.length
          ? []
          : [[table.id, { readable: new Set(kept.map((column) => column.id)) }]];
      }),
    );
  }

  // Which columns name people, their types say, and those come and go with plugins.
  ctx.own(
    types.onDidChange(() => {
      if (!hasAnswered) return;
      hasAnswered = false;
      access
        .didChangeRules()
        .catch((error: unknown) =>
          ctx.logger.warn('What visitors may read was not looked at again', { error }),
        );
    }),
  );

  return {
    id,
    async narrow({ principal, projectId }) {
      if (principal.kind !== 'sharedBase' || principal.scopeRules?.includes(id) !== true) return undefined;
      const share = projectId === undefined ? undefined : await shares.byUuid(principal.credentialId ?? '');
      if (share === undefined || share.projectId !== projectId) return nothing;
      const snapshot = await snapshotIfThere(ctx.get(SchemaStoreToken), access.systemScope(projectId, id));
      // Its project was deleted a moment ago.
      if (snapshot === undefined) return nothing;
      hasAnswered = true;
      return {
        permissions: permissionsOf[share.role],
        maximumRole: share.role,
        columns: withoutPeople(snapshot),
      };
    },
  };
}
