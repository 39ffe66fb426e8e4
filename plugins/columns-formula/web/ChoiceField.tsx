import type { TableEntity } from '@trellis/sdk/shared';
import { useServerData, useT } from '@trellis/sdk/web';
import { ErrorNotice, Select, Skeleton } from '@trellis/sdk/web/ui';
import type { ButtonAct } from '../shared/index.ts';

interface ChoiceFieldProps {
  readonly act: ButtonAct;
  readonly label: string;
  readonly table: TableEntity;
  /** Empty for none. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** The object of a button's action, such as one of the table's webhooks. */
export function ChoiceField({ act, label, table, value, onChange }: ChoiceFieldProps) {
  const t = useT();
  const path = `/api/v1/plugins/columns-formula/tables/${encodeURIComponent(table.id)}`;
  const { data, error, refetch } = useServerData<{ readonly list: readonly Choice[] }>(
    { path: `${path}/button-operations/${encodeURIComponent(act.id)}` },
    { isDraft: true },
  );
  if (data === undefined)
    return error === undefined ? <Skeleton /> : <ErrorNotice message={error.message} onRetry={refetch} />;
  const isThere = data.list.some(({ id }) => id === value);
  const chosen = { value, label: value === '' ? t('choose') : t('one that is not there for you') };
  return (
    <div className="tr-field">
      <span>{label}</span>
      {data.list.length === 0 && value === '' ? (
        <p className="tr-note">{t('There is nothing to choose for you in this table.')}</p>
      ) : (
        <Select
          label={label}
          value={value}
          options={[
            ...(isThere ? [] : [chosen]),
            ...data.list.map((of) => ({ value: of.id, label: of.label })),
          ]}
          onChange={onChange}
        />
      )}
    </div>
  );
}

interface Choice {
  readonly id: string;
  readonly label: string;
}
