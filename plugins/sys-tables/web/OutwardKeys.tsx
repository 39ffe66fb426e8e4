import { useT } from '@trellis/sdk/web';
import { Notice } from '@trellis/sdk/web/ui';
import type { TableDiff } from '../shared/index.ts';

/** Lists the foreign keys to tables outside what the project opened, for which it has no links; draws nothing if there are none. */
export function OutwardKeys({ tables }: { readonly tables: readonly TableDiff[] }) {
  const t = useT();
  const keys = tables.flatMap(({ table_name: table, outward = [] }) =>
    outward.map(({ cn, schema, rtn, rcn }) => `${table}.${cn} → ${schema}.${rtn}.${rcn}`),
  );
  if (keys.length === 0) return null;
  return (
    <Notice severity="info">
      {t(
        'These foreign keys lead to other schemas or databases of the server. Their columns are shown without links:',
      )}
      <ul>
        {keys.map((key) => (
          <li key={key}>{key}</li>
        ))}
      </ul>
    </Notice>
  );
}
