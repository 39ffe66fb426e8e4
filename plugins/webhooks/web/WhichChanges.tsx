import type { FilterNode, TableEntity } from '@trellis/sdk/shared';
import { useRegistry, useT } from '@trellis/sdk/web';
import { Notice, Select, Switch } from '@trellis/sdk/web/ui';
import { FilterEditor } from '@trellis/sdk/web/views';
import type { HookOperation } from '../shared/index.ts';

/** The changes that a webhook reports. */
export interface Chosen {
  readonly columns: readonly string[];
  readonly viewId: string | null;
  readonly hasCondition: boolean;
  /** Conditions for the row after and before the change. */
  readonly after: readonly FilterNode[];
  readonly before: readonly FilterNode[];
}

interface WhichChangesProps {
  readonly table: TableEntity;
  readonly operation: HookOperation;
  readonly value: Chosen;
  readonly onChange: (change: Partial<Chosen>) => void;
}

/** Chooses the changes that a webhook reports: columns, a view's rows, conditions. */
export function WhichChanges({ table, operation, value, onChange }: WhichChangesProps) {
  const t = useT();
  const types = useRegistry('columnTypes');
  const { columns, viewId, hasCondition } = value;
  const isUpdate = operation === 'update';
  const all = (table.columns ?? []).filter(({ system }) => !system);
  const stored = all.filter(({ virtual }) => virtual !== true);
  const filtered = all.filter(
    ({ virtual, uidt }) =>
      virtual !== true || types.some(({ id, operators }) => id === uidt && operators.length > 0),
  );
  const views = table.views ?? [];
  const isGone = viewId !== null && table.views !== undefined && !views.some(({ id }) => id === viewId);
  return (
    <>
      {isUpdate && (
        <fieldset className="webhooks-columns">
          <legend>{t('Only when one of these changes; none chosen: any')}</legend>
          {stored.map((column) => (
            <label key={column.id}>
              <input
                type="checkbox"
                checked={columns.includes(column.id)}
                onChange={(event) =>
                  onChange({
                    columns: event.target.checked
                      ? [...columns, column.id]
                      : columns.filter((id) => id !== column.id),
                  })
                }
              />{' '}
              {column.title}
            </label>
          ))}
        </fieldset>
      )}
      <label className="tr-field">
        <span>{t('Rows')}</span>
        <Select
          label={t('Rows')}
          value={isGone ? '' : (viewId ?? '')}
          options={[
            { value: '', label: t('All rows of the table') },
            ...views.map(({ id, title }) => ({
              value: id,
              label: t('Only those of the view {{view}}', { view: title }),
            })),
          ]}
          onChange={(id) => onChange({ viewId: id === '' ? null : id })}
        />
      </label>
      {isGone && (
        <Notice severity="warn">
          {t('The view whose rows were told of is gone. Saved like this, all rows are told of.')}
        </Notice>
      )}
      <Switch checked={hasCondition} onChange={(next) => onChange({ hasCondition: next })}>
        {t('Only for rows that meet conditions')}
      </Switch>
      {hasCondition && isUpdate && (
        <fieldset className="webhooks-moment">
          <legend>{t('Before the change')}</legend>
          <FilterEditor
            columns={stored}
            value={value.before}
            emptyText={t('Whatever the row was before.')}
            onChange={(before) => onChange({ before })}
          />
        </fieldset>
      )}
      {hasCondition && (
        <fieldset className="webhooks-moment">
          {isUpdate && <legend>{t('After the change')}</legend>}
          <FilterEditor
            columns={filtered}
            value={value.after}
            emptyText={isUpdate ? t('Whatever the row is then.') : t('Without a condition every row counts.')}
            onChange={(after) => onChange({ after })}
          />
        </fieldset>
      )}
    </>
  );
}
