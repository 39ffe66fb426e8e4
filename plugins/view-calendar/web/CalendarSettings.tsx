import { useRegistry, useT, type ViewSettingsProps } from '@trellis/sdk/web';
import { CardOption, isDated } from '@trellis/sdk/web/cards';
import { Select } from '@trellis/sdk/web/ui';
import type { ReactNode } from 'react';
import { colorTypes, type CalendarOptions, type KeptRange } from '../shared/index.ts';

/** Which columns say on which days rows stand, and which one gives them their colours. */
export default function CalendarSettings({ table, settings, onChange }: ViewSettingsProps): ReactNode {
  const t = useT();
  const types = useRegistry('columnTypes');
  const {
    ranges: [range],
    colorId = '',
  } = settings as Partial<CalendarOptions> & Pick<CalendarOptions, 'ranges'>;
  const ofTypes = (fits: (type: string) => boolean) =>
    (table.columns ?? [])
      .filter(({ uidt, system }) => fits(uidt) && !system)
      .map(({ id, title }) => ({ value: id, label: title }));
  const dates = ofTypes((id) => isDated(types.find((type) => type.id === id)));
  const change = (next: KeptRange) => onChange({ ...settings, ranges: [next] });
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
      <CardOption label={t('Colours')}>
        <Select
          label={t('Colours')}
          value={colorId}
          options={[{ value: '', label: t('One colour') }, ...ofTypes((id) => colorTypes.includes(id))]}
          onChange={(next) => onChange({ ...settings, colorId: next })}
        />
      </CardOption>
    </div>
  );
}
