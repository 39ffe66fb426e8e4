import { isDated, useRegistry, useT, type ViewSettingsProps } from '@trellis/sdk/web';
import { useColumnChoices } from '@trellis/sdk/web/cards';
import { Field, Select } from '@trellis/sdk/web/ui';
import type { ReactNode } from 'react';
import type { TimelineOptions } from '../shared/index.ts';

/** Choices for the rows' length in days if no column gives it. */
const lengths = [1, 2, 3, 5, 7, 14, 30, 90];

/** Chooses the columns for the rows' length and for their groups. */
export default function TimelineSettings({ table, settings, onChange }: ViewSettingsProps): ReactNode {
  const t = useT();
  const options = settings as TimelineOptions;
  const ofTypes = useColumnChoices(table);
  const types = useRegistry('columnTypes');
  const dates = ofTypes((_type, column) => isDated(column, types));
  const change = (patch: Partial<TimelineOptions>) => onChange({ ...settings, ...patch });
  return (
    <>
      <Field label={t('First day')}>
        <Select
          label={t('First day')}
          value={options.fromId}
          options={dates}
          onChange={(fromId) => change({ fromId, ...(fromId === options.toId && { toId: '' }) })}
        />
      </Field>
      <Field label={t('Last day')}>
        <Select
          label={t('Last day')}
          value={options.toId}
          options={[
            { value: '', label: t('After a fixed number of days') },
            ...dates.filter(({ value }) => value !== options.fromId),
          ]}
          onChange={(toId) => change({ toId })}
        />
      </Field>
      {options.toId === '' && (
        <Field label={t('Number of days')}>
          <Select
            label={t('Number of days')}
            value={String(options.length)}
            options={[...new Set([...lengths, options.length])]
              .toSorted((a, b) => a - b)
              .map((days) => ({ value: String(days), label: String(days) }))}
            onChange={(length) => change({ length: Number(length) })}
          />
        </Field>
      )}
      <Field label={t('Groups')}>
        <Select
          label={t('Groups')}
          value={options.groupId}
          options={[{ value: '', label: t('No groups') }, ...ofTypes((type) => type?.stacks !== undefined)]}
          onChange={(groupId) => change({ groupId })}
        />
      </Field>
    </>
  );
}
