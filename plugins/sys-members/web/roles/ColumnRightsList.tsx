import type { TableEntity } from '@trellis/sdk/shared';
import { useHost, useTable } from '@trellis/sdk/web';
import { ErrorNotice, Skeleton } from '@trellis/sdk/web/ui';
import type { TableAccess, TableRights } from '../../shared/index.ts';
import { AccessSelect } from './AccessSelect.tsx';

type Rights = Pick<TableRights, 'columns' | 'newColumns'>;

/** A role's rights for each column of a table. Key columns can always be read, because rows are found by them. */
export function ColumnRightsList(props: {
  readonly table: TableEntity;
  /** Whether the table's rows can be changed. */
  readonly writes: boolean;
  readonly rights: Rights;
  readonly onChange: (rights: Rights) => void;
}) {
  const { table, writes, onChange } = props;
  const { columns, newColumns } = props.rights;
  const { t } = useHost();
  const { data, error, refetch } = useTable(table.id);
  if (error) return <ErrorNotice message={error.message} onRetry={refetch} />;
  if (data === undefined) return <Skeleton height={34} count={3} />;
  const shown = (data.columns ?? []).filter(({ pk, system }) => !pk && !system);

  /** A table's first limit lists all its columns, so that later ones are distinguishable and start without access. */
  function put(id: string, access: TableAccess) {
    if (Object.keys(columns).length > 0)
      return onChange({ columns: { ...columns, [id]: access }, newColumns });
    const named = Object.fromEntries(shown.map((column) => [column.id, newColumns]));
    onChange({ columns: { ...named, [id]: access }, newColumns: 'none' });
  }
  function putNew(access: TableAccess) {
    const named = Object.fromEntries(shown.map(({ id }) => [id, columns[id] ?? newColumns]));
    onChange({ columns: named, newColumns: access });
  }
  return (
    <ul className="team-columns" aria-label={t('Columns of {{table}}', { table: table.title })}>
      {shown.map(({ id, title }) => (
        <li key={id}>
          <span>{title}</span>
          <AccessSelect
            label={t('Rights to {{column}}', { column: title })}
            access={columns[id] ?? newColumns}
            writes={writes}
            none={t('Hidden')}
            onChange={(access) => put(id, access)}
          />
        </li>
      ))}
      <li>
        <em>{t('Columns made later')}</em>
        <AccessSelect
          label={t('Rights to columns of {{table}} made later', { table: table.title })}
          access={newColumns}
          writes={writes}
          none={t('Hidden')}
          onChange={putNew}
        />
      </li>
    </ul>
  );
}
