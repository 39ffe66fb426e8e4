import { placeholderFor, type TableEntity } from '@trellis/sdk/shared';
import { addressOfTab, type Translate } from '@trellis/sdk/web';
import type { HookOperation } from '../shared/index.ts';
import { columnNameOf } from './use-naming.ts';

/** The subject of a message to people. */
export interface Told {
  readonly table: TableEntity;
  readonly operation: HookOperation;
  /** Whether one message covers several rows. */
  readonly isBatch: boolean;
  readonly event: 'after' | 'before';
}

/** The default template of a message to people: what happened to which row of which table, and its address. */
export function firstMessage({ table, operation, isBatch, event }: Told, t: Translate): string {
  const named = table.columns?.find(({ pv }) => pv);
  const isByName = event === 'before' && operation !== 'delete';
  const title =
    named === undefined
      ? '{{event.row}}'
      : placeholderFor(['data', isByName ? columnNameOf(named) : named.title]);
  const of = { table: '{{table.title}}', title, number: '{{event.count}}' };
  const said = isBatch
    ? {
        insert: t('New rows in {{table}}: {{number}}', of),
        update: t('Changed rows in {{table}}: {{number}}', of),
        delete: t('Deleted rows in {{table}}: {{number}}', of),
      }
    : {
        insert: t('New row in {{table}}: {{title}}', of),
        update: t('Changed row in {{table}}: {{title}}', of),
        delete: t('Deleted row in {{table}}: {{title}}', of),
      };
  if (operation === 'delete') return said.delete;
  const tab = { type: 'table', key: table.id, name: table.title };
  const { origin, pathname } = location;
  const address = `${origin}${pathname}#${addressOfTab(table.project_id, tab)}`;
  return `${said[operation]}\n${address}${isBatch ? '' : '&row={{event.row}}'}`;
}
