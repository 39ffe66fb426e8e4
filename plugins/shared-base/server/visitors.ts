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

/** The most rights of visitors: no people, no audit log, no settings. */
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
 * A caller with such an id is a visitor, even if signed in. The rule decides whether the id opens anything, and its result is
 * dropped with every change: a closed project is closed for present visitors, too.
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
      // An invalid id opens nothing, and does not fall back to the caller's own rights.
      return principalOf(isShareId(uuid) ? uuid : '');
    },
  };
}

/** The rights of a visitor: in the id's project those of its role, except columns that name people; elsewhere none. */
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

  // Types define which columns name people, and types change with plugins.
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
      // Its project was just deleted.
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
