import { useT } from '@trellis/sdk/web';
import { ErrorNotice, Select, Skeleton } from '@trellis/sdk/web/ui';
import { useActChoices } from './automation-requests.ts';

interface ActFieldProps {
  readonly act: string;
  readonly label: string;
  /** Empty while none is chosen. */
  readonly tableId: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** The object of a button's action, such as one of the table's webhooks. */
export function ActField({ act, label, tableId, value, onChange }: ActFieldProps) {
  const t = useT();
  const { data, error, refetch } = useActChoices(tableId, act);
  if (tableId === '') return <p className="tr-note">{t('Please choose a table first.')}</p>;
  if (data === undefined)
    return error === undefined ? <Skeleton /> : <ErrorNotice message={error.message} onRetry={refetch} />;
  const isThere = data.list.some(({ id }) => id === value);
  // A template that was set by the API stays until another choice is made.
  const other = value === '' ? t('Choose …') : value.includes('{{') ? value : t('one that is not there');
  return (
    <label className="tr-field">
      <span>{label}</span>
      <Select<string>
        label={label}
        value={value}
        options={[
          ...(isThere ? [] : [{ value, label: other }]),
          ...data.list.map((of) => ({ value: of.id, label: of.label })),
        ]}
        onChange={onChange}
      />
      {data.list.length === 0 && (
        <small className="tr-note">{t('There is nothing to choose for you in this table.')}</small>
      )}
    </label>
  );
}
