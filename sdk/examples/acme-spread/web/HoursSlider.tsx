import { type AutomationInputProps, useT } from '@trellis/sdk/web';
import { Field } from '@trellis/sdk/web/ui';
import { hoursOf, mostHours } from '../shared/index.ts';

/** Hours, set by a slider. What it changes is stored when the automation is saved. */
export default function HoursSlider({ label, value, onChange }: AutomationInputProps) {
  const t = useT();
  const hours = hoursOf(value) ?? 1;
  return (
    <Field label={label}>
      <input
        type="range"
        aria-label={label}
        min={1}
        max={mostHours}
        value={hours}
        aria-valuetext={t('{{count}} hours', { count: hours, one: '{{count}} hour' })}
        onChange={({ target }) => onChange(target.value)}
      />
      <output>{t('{{count}} hours', { count: hours, one: '{{count}} hour' })}</output>
    </Field>
  );
}
