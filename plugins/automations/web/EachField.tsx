import { useHost } from '@trellis/sdk/web';
import { Select } from '@trellis/sdk/web/ui';
import type { StepDefinition } from '../shared/index.ts';

/** A step that finds rows. */
export interface RowSource {
  readonly id: string;
  readonly name: string;
  readonly table: string;
}

/** Whether a step runs once, or for each row that another step found. */
export function EachField(props: {
  readonly step: StepDefinition;
  readonly sources: readonly RowSource[];
  readonly onChange: (step: StepDefinition) => void;
}) {
  const { step, sources, onChange } = props;
  const { t } = useHost();
  const { each, ...once } = step;
  const isThere = sources.some(({ id }) => id === each?.step);
  const label = t('How often');
  return (
    <>
      <label className="tr-field">
        <span>{label}</span>
        <Select<string>
          label={label}
          value={each?.step ?? ''}
          options={[
            { value: '', label: t('Once') },
            ...sources.map(({ id, name }) => ({
              value: id,
              label: t('For each row of {{step}}', { step: name }),
            })),
            ...(each === undefined || isThere ? [] : [{ value: each.step, label: t('Choose …') }]),
          ]}
          onChange={(id) => onChange(id === '' ? once : { ...once, each: { ...each, step: id } })}
        />
        {each !== undefined && !isThere && (
          <small className="tr-field-problem" role="status">
            {t('The step that finds these rows does not stand before this one any more.')}
          </small>
        )}
      </label>
      {each !== undefined && (
        <label className="automations-each">
          <input
            type="checkbox"
            checked={each.goesOn === true}
            onChange={(event) =>
              onChange({
                ...once,
                each: { ...each, goesOn: event.target.checked },
              })
            }
          />{' '}
          {t('Go on with the next row where it fails for one')}
        </label>
      )}
    </>
  );
}
