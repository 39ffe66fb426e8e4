import { useT, type ViewSettingsProps } from '@trellis/sdk/web';
import { CardOption } from '@trellis/sdk/web/cards';
import { Select } from '@trellis/sdk/web/ui';
import type { ReactNode } from 'react';
import { dayTypes, type CalendarOptions, type DateRange } from '../shared/index.ts';

/** Which columns say on which days rows stand. */
export default function CalendarSettings({ table, settings, onChange }: ViewSettingsProps): ReactNode {
  const t = useT();
  const [range] = (settings as CalendarOptions).ranges;
  const dates = (table.columns ?? [])
    .filter(({ uidt, system }) => dayTypes.includes(uidt) && !system)
    .map(({ id, title }) => ({ value: id, label: title }));
  const change = (next: DateRange) => onChange({ ...settings, ranges: [next] });
  const isOther = ({ value }: { readonly value: string }) => value !== range?.fromId;
  return (
    <div className="tr-card-options">
      <CardOption label={t('First day')}>
        <Select
          label={t('First day')}
          value={range?.fromId ?? ''}
          options={dates}
          onChange={(fromId) =>
            change(range?.toId === undefined || range.toId === fromId ? { fromId } : { ...range, fromId })
          }
        />
      </CardOption>
      {range !== undefined && (
        <CardOption label={t('Last day')}>
          <Select
            label={t('Last day')}
            value={range.toId ?? ''}
            options={[{ value: '', label: t('Same as the first day') }, ...dates.filter(isOther)]}
            onChange={(toId) =>
              change(toId === '' ? { fromId: range.fromId } : { fromId: range.fromId, toId })
            }
          />
        </CardOption>
      )}
    </div>
  );
}
