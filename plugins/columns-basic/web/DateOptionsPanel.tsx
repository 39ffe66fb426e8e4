import { useT, type OptionsPanelProps } from '@trellis/sdk/web';
import { dateFormats, writeDate, type DateOptions } from '../shared/index.ts';

const example = '2026-03-29';

/** Chooses how the dates of a column are written. */
export function DateOptionsPanel({ options, onChange }: OptionsPanelProps<DateOptions>) {
  const t = useT();
  return (
    <label className="cb-option">
      <span>{t('Date format')}</span>
      <select value={options.date_format} onChange={(event) => onChange({ date_format: event.target.value })}>
        {dateFormats.map((format) => (
          <option key={format} value={format}>
            {`${format} (${writeDate(example, format)})`}
          </option>
        ))}
      </select>
    </label>
  );
}
