import { isDated, useRegistry, useT, type ViewSettingsProps } from '@trellis/sdk/web';
import { useColumnChoices } from '@trellis/sdk/web/cards';
import { Field, Select } from '@trellis/sdk/web/ui';
import type { ReactNode } from 'react';
import type { CalendarOptions, KeptRange } from '../shared/index.ts';

/** Chooses the columns of the rows' days, and the column of their colours. */
export default function CalendarSettings({ table, settings, onChange }: ViewSettingsProps): ReactNode {
  const t = useT();
  const {
    ranges: [range],
    colorId = '',
  } = settings as Partial<CalendarOptions> & Pick<CalendarOptions, 'ranges'>;
  const ofTypes = useColumnChoices(table);
  const types = useRegistry('columnTypes');
  const dates = ofTypes((_type, column) => isDated(column, types));
  const change = (next: KeptRange) => onChange({ ...settings, ranges: [next] });
  const isOther = ({ value }: { readonly value: string }) => value !== range?.fromId;
  return (
    <>
      <Field label={t('First day')}>
        <Select
          label={t('First day')}
          value={range?.fromId ?? ''}
          options={dates}
          onChange={(fromId) =>
            change(range?.toId === undefined || range.toId === fromId ? { fromId } : { ...range, fromId })
          }
        />
      </Field>
      {range !== undefined && (
        <Field label={t('Last day')}>
          <Select
            label={t('Last day')}
            value={range.toId ?? ''}
            options={[{ value: '', label: t('Same as the first day') }, ...dates.filter(isOther)]}
            onChange={(toId) =>
              change(toId === '' ? { fromId: range.fromId } : { fromId: range.fromId, toId })
            }
          />
        </Field>
      )}
      <Field label={t('Colours')}>
        <Select
          label={t('Colours')}
          value={colorId}
          options={[{ value: '', label: t('One colour') }, ...ofTypes((type) => type?.stacks === 'options')]}
          onChange={(next) => onChange({ ...settings, colorId: next })}
        />
      </Field>
    </>
  );
}
