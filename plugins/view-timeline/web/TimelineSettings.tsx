import { useRegistry, useT, type ViewSettingsProps } from '@trellis/sdk/web';
import { CardOption, isDated } from '@trellis/sdk/web/cards';
import { Select } from '@trellis/sdk/web/ui';
import type { ReactNode } from 'react';
import { groupTypes, type TimelineOptions } from '../shared/index.ts';

/** Days that rows may last where no column says it. */
const lengths = [1, 2, 3, 5, 7, 14, 30, 90];

/** Which columns say how long rows last, and by which one they stand together. */
export default function TimelineSettings({ table, settings, onChange }: ViewSettingsProps): ReactNode {
  const t = useT();
  const options = settings as TimelineOptions;
  const types = useRegistry('columnTypes');
  const ofTypes = (fits: (type: string) => boolean) =>
    (table.columns ?? [])
      .filter(({ uidt, system }) => fits(uidt) && !system)
      .map(({ id, title }) => ({ value: id, label: title }));
  const dates = ofTypes((id) => isDated(types.find((type) => type.id === id)));
  const change = (patch: Partial<TimelineOptions>) => onChange({ ...settings, ...patch });
  return (
    <div className="tr-card-options">
      <CardOption label={t('First day')}>
        <Select
          label={t('First day')}
          value={options.fromId}
          options={dates}
          onChange={(fromId) => change({ fromId, ...(fromId === options.toId && { toId: '' }) })}
        />
      </CardOption>
      <CardOption label={t('Last day')}>
        <Select
          label={t('Last day')}
          value={options.toId}
          options={[
            { value: '', label: t('After a fixed number of days') },
            ...dates.filter(({ value }) => value !== options.fromId),
          ]}
          onChange={(toId) => change({ toId })}
        />
      </CardOption>
      {options.toId === '' && (
        <CardOption label={t('Number of days')}>
          <Select
            label={t('Number of days')}
            value={String(options.length)}
            options={[...new Set([...lengths, options.length])]
              .toSorted((a, b) => a - b)
              .map((days) => ({ value: String(days), label: String(days) }))}
            onChange={(length) => change({ length: Number(length) })}
          />
        </CardOption>
      )}
      <CardOption label={t('Groups')}>
        <Select
          label={t('Groups')}
          value={options.groupId}
          options={[{ value: '', label: t('No groups') }, ...ofTypes((id) => groupTypes.includes(id))]}
          onChange={(groupId) => change({ groupId })}
        />
      </CardOption>
    </div>
  );
}
