import { useRegistry, useT, type ViewSettingsProps } from '@trellis/sdk/web';
import { CardOptions, useColumnChoices } from '@trellis/sdk/web/cards';
import { Field, Select } from '@trellis/sdk/web/ui';
import { suitsFigure } from '@trellis/sdk/web/views';
import type { ReactNode } from 'react';
import type { KanbanOptions } from '../shared/index.ts';

/** The settings of a kanban: the column of its stacks, the summary above each stack, and the look of its cards. */
export default function KanbanSettings({ table, settings, onChange }: ViewSettingsProps): ReactNode {
  const t = useT();
  const aggregations = useRegistry('aggregations');
  const { columns = [] } = table;
  const options = settings as KanbanOptions;
  const change = (changed: Partial<KanbanOptions>) => onChange({ ...settings, ...changed });
  const choices = useColumnChoices(table);
  const entity = columns.find(({ id }) => id === options.figureColumnId);
  const offered = entity === undefined ? [] : aggregations.filter((each) => suitsFigure(each, { entity }));
  return (
    <>
      <Field label={t('Stacked by')}>
        <Select
          label={t('Stacked by')}
          value={options.stackedBy ?? ''}
          options={choices((of) => of?.stacks !== undefined)}
          onChange={(stackedBy) => change({ stackedBy })}
        />
      </Field>
      <Field label={t('Summary over each stack')}>
        <Select
          label={t('Column of the summary')}
          value={entity?.id ?? ''}
          options={[{ value: '', label: t('None') }, ...choices(() => true)]}
          onChange={(figureColumnId) => {
            const next = columns.find(({ id }) => id === figureColumnId);
            const fits = next ? aggregations.filter((each) => suitsFigure(each, { entity: next })) : [];
            const figure = fits.find(({ id }) => id === 'sum') ?? fits[0];
            change({ figureColumnId, figure: figure?.id ?? '' });
          }}
        />
        {entity !== undefined && (
          <Select
            label={t('Summary over each stack')}
            value={options.figure}
            options={offered.map(({ id, label }) => ({ value: id, label: t(label) }))}
            onChange={(figure) => change({ figure })}
          />
        )}
      </Field>
      <CardOptions columns={columns} options={options} onChange={change} />
    </>
  );
}
