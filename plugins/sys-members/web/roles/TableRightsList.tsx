import type { TableEntity } from '@trellis/sdk/shared';
import { useHost } from '@trellis/sdk/web';
import { Switch } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import type { CustomRoleInput, TableRights } from '../../shared/index.ts';
import { AccessSelect } from './AccessSelect.tsx';
import { ColumnRightsList } from './ColumnRightsList.tsx';
import { wholeTable } from './role-requests.ts';

type Rights = Pick<CustomRoleInput, 'tables' | 'newTables'>;

/** A role's rights in each table, and in later ones. */
export function TableRightsList(props: {
  readonly list: readonly TableEntity[];
  /** Whether the base role can write rows. */
  readonly writes: boolean;
  readonly rights: Rights;
  readonly onChange: (rights: Partial<Rights>) => void;
}) {
  const { list, writes, onChange } = props;
  const { tables, newTables } = props.rights;
  const { t } = useHost();
  return (
    <ul className="team-tables" aria-label={t('Tables')}>
      {list.map((table) => (
        <TableLine
          key={table.id}
          table={table}
          writes={writes}
          rights={tables[table.id] ?? wholeTable(newTables)}
          onChange={(rights) => onChange({ tables: { ...tables, [table.id]: rights } })}
        />
      ))}
      <li>
        <div className="team-table">
          <em>{t('Tables made later')}</em>
          <AccessSelect
            label={t('Rights in tables made later')}
            access={newTables}
            writes={writes}
            none={t('Nothing')}
            onChange={(access) => onChange({ newTables: access })}
          />
        </div>
      </li>
    </ul>
  );
}

function TableLine(props: {
  readonly table: TableEntity;
  readonly writes: boolean;
  readonly rights: TableRights;
  readonly onChange: (rights: TableRights) => void;
}) {
  const { table, writes, rights, onChange } = props;
  const { t } = useHost();
  const [isOpen, setOpen] = useState(false);
  const count = Object.values(rights.columns).filter((access) => access !== 'write').length;
  const mayWrite = writes && rights.access === 'write';
  return (
    <li>
      <div className="team-table">
        <strong>{table.title}</strong>
        <AccessSelect
          label={t('Rights in {{table}}', { table: table.title })}
          access={rights.access}
          writes={writes}
          none={t('Nothing')}
          onChange={(access) => onChange({ ...rights, access })}
        />
        <Switch
          checked={mayWrite && rights.create}
          disabled={!mayWrite}
          onChange={(create) => onChange({ ...rights, create })}
        >
          {t('Add rows')}
        </Switch>
        <Switch
          checked={mayWrite && rights.delete}
          disabled={!mayWrite}
          onChange={(isGiven) => onChange({ ...rights, delete: isGiven })}
        >
          {t('Delete rows')}
        </Switch>
        <button
          type="button"
          className="tr-button"
          aria-expanded={isOpen}
          aria-label={t('Columns of {{table}}', { table: table.title })}
          disabled={rights.access === 'none'}
          onClick={() => setOpen(!isOpen)}
        >
          {count === 0 ? t('Columns') : t('Columns ({{limited}})', { limited: String(count) })}
        </button>
      </div>
      {isOpen && rights.access !== 'none' && (
        <ColumnRightsList
          table={table}
          writes={mayWrite}
          rights={rights}
          onChange={(columns) => onChange({ ...rights, ...columns })}
        />
      )}
    </li>
  );
}
