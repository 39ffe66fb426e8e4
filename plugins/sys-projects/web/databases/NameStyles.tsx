import { useT } from '@trellis/sdk/web';
import { Choices } from '@trellis/sdk/web/ui';
import type { NameStyle } from './database-requests.ts';

/** The naming of tables and columns in the product. */
export interface NameStylesValue {
  readonly table: NameStyle;
  readonly column: NameStyle;
}

/** Asks whether to make a database's names readable or to keep them. */
export function NameStyles(props: {
  readonly value: NameStylesValue;
  readonly onChange: (value: NameStylesValue) => void;
}) {
  const t = useT();
  const { value, onChange } = props;
  const asked = [
    { of: 'table', label: t('Names of tables'), readable: 'FilmActor', raw: 'film_actor' },
    { of: 'column', label: t('Names of columns'), readable: 'FirstName', raw: 'first_name' },
  ] as const;
  return (
    <fieldset className="tr-form-group">
      <legend>{t('Names')}</legend>
      {asked.map(({ of, label, readable, raw }) => (
        <div key={of} className="tr-field">
          <span>{label}</span>
          <Choices<NameStyle>
            label={label}
            value={value[of]}
            options={[
              { value: 'camelize', label: readable, title: t('Made readable') },
              { value: 'none', label: raw, title: t('As in the database') },
            ]}
            onChange={(style) => onChange({ ...value, [of]: style })}
          />
        </div>
      ))}
    </fieldset>
  );
}
