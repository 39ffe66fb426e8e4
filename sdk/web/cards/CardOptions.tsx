import type { ReactNode } from 'react';
import type { ColumnEntity } from '../../shared/index.ts';
import { useRegistry, useSharedT } from '../host.tsx';
import { Choices, Field, Select, Switch } from '../ui/index.ts';

interface Options {
  readonly coverId: string;
  readonly coverFit: 'cover' | 'contain';
  readonly showsNames: boolean;
}

/** The props of the options for the look of cards. @public */
export interface CardOptionsProps {
  readonly columns: readonly ColumnEntity[];
  readonly options: Options;
  onChange(this: void, changed: Partial<Options>): void;
}

/** Options for the look of a view's cards: their cover, and whether fields have names. @public */
export function CardOptions({ columns, options, onChange }: CardOptionsProps): ReactNode {
  const t = useSharedT();
  const types = useRegistry('columnTypes');
  const covers = columns.filter(({ uidt }) => types.find(({ id }) => id === uidt)?.Cover !== undefined);
  return (
    <>
      <Field label={t('Cover')}>
        <Select
          label={t('Cover')}
          value={covers.some(({ id }) => id === options.coverId) ? options.coverId : ''}
          options={[
            { value: '', label: t('No cover') },
            ...covers.map(({ id, title }) => ({ value: id, label: title })),
          ]}
          onChange={(coverId) => onChange({ coverId })}
        />
      </Field>
      {options.coverId !== '' && (
        <Field label={t('Pictures')}>
          <Choices
            label={t('Pictures')}
            value={options.coverFit}
            options={[
              { value: 'cover', label: t('Fill the cover') },
              { value: 'contain', label: t('Shown whole') },
            ]}
            onChange={(coverFit) => onChange({ coverFit })}
          />
        </Field>
      )}
      <Switch checked={options.showsNames} onChange={(showsNames) => onChange({ showsNames })}>
        {t('Names of fields')}
      </Switch>
    </>
  );
}
