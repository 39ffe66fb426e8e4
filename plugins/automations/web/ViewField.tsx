import type { AutomationInput, ViewEntity } from '@trellis/sdk/shared';
import { useHost } from '@trellis/sdk/web';
import { Select } from '@trellis/sdk/web/ui';
import { useEffect, useEffectEvent } from 'react';

/** Chooses one of a table's views. */
export function ViewField(props: {
  readonly input: AutomationInput;
  readonly label: string;
  readonly views: readonly ViewEntity[];
  readonly value: string;
  readonly onChange: (id: string) => void;
}) {
  const { input, label, value, onChange } = props;
  const { t } = useHost();
  const views = props.views.filter(({ view_type }) => input.only === undefined || view_type === input.only);
  const isThere = views.some(({ id }) => id === value);
  // A required choice with a single possibility is made automatically.
  const only = input.isRequired === true && views.length === 1 ? views[0]?.id : undefined;
  const choose = useEffectEvent(onChange);
  useEffect(() => {
    if (only !== undefined && !isThere) choose(only);
  }, [only, isThere]);
  return (
    <label className="tr-field">
      <span>{label}</span>
      <Select<string>
        label={label}
        value={isThere ? value : ''}
        options={[
          ...(isThere ? [] : [{ value: '', label: t('Choose …') }]),
          ...views.map(({ id, title }) => ({ value: id, label: title })),
        ]}
        onChange={onChange}
      />
      {views.length === 0 && <small className="tr-note">{t('The table has no such view yet.')}</small>}
    </label>
  );
}
