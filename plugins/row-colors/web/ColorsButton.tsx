import type { ColumnEntity } from '@trellis/sdk/shared';
import { optionColors, useRegistry, useT, type ViewProps } from '@trellis/sdk/web';
import { Choices, PopoverButton, SaveProblem, Select } from '@trellis/sdk/web/ui';
import { OwnPart, useLockReason, useViewAddition, useViewColumns } from '@trellis/sdk/web/views';
import type { ReactNode } from 'react';
import { colorOptions, columnsIn, operatorsIn, rowColors, type ColorOptions } from '../shared/index.ts';
import { ColorRules } from './ColorRules.tsx';
import { groundOf } from './coloring.ts';
import { problemOfRule } from './rule-problem.ts';

/** Chooses how the view's rows are coloured. */
export function ColorsButton(props: ViewProps): ReactNode {
  // The key resets the state, so that a choice that one view refused is not offered to another.
  return <ColorsOfView key={props.view.id} {...props} />;
}

function ColorsOfView(props: ViewProps): ReactNode {
  const t = useT();
  const { columns = [] } = props.table;
  // Above the panel, so that a refused choice survives closing it.
  const kept = useViewAddition(rowColors.id, props);
  const types = useRegistry('columnTypes');
  const operators = useRegistry('filterOperators');
  const options = colorOptions(kept.shown);
  const ground = groundOf(columns, types, operators);
  const count =
    options.by === 'column'
      ? Number(columns.some(({ id }) => id === options.columnId))
      : options.rules.filter((rule) => problemOfRule(rule, ground, columns) === undefined).length;
  return (
    <PopoverButton icon="palette" label={t('Colour')} count={count}>
      {() => <ColorsPanel {...props} {...{ kept, options }} />}
    </PopoverButton>
  );
}

interface ColorsPanelProps extends ViewProps {
  readonly kept: ReturnType<typeof useViewAddition>;
  readonly options: ColorOptions;
}

function ColorsPanel({ kept, options, ...props }: ColorsPanelProps): ReactNode {
  const { view } = props;
  const { own, change, reset } = kept;
  const locked = useLockReason(props);
  if (own !== undefined)
    return (
      <OwnPart view={view} isSet={rowColors.id in own.additions} onReset={reset}>
        <ColorSettings {...props} {...{ options }} isLocked={false} onChange={change} />
      </OwnPart>
    );
  return (
    <div className="rc-panel">
      {locked !== undefined && <p className="tr-note">{locked}</p>}
      <ColorSettings {...props} {...{ options }} isLocked={locked !== undefined} onChange={change} />
      {view.uuid !== null && view.uuid !== undefined && <LinkNote {...props} options={options} />}
      <SaveProblem draft={kept.draft} />
    </div>
  );
}

interface ColorSettingsProps extends ViewProps {
  readonly options: ColorOptions;
  readonly isLocked: boolean;
  readonly onChange: (next: ColorOptions) => void;
}

function ColorSettings({ table, options, isLocked, onChange }: ColorSettingsProps): ReactNode {
  const t = useT();
  const types = useRegistry('columnTypes');
  const { columns = [] } = table;
  const { by, place, columnId, rules } = options;
  const isList = ({ uidt }: ColumnEntity) => types.find(({ id }) => id === uidt)?.stacks === 'options';
  const lists = columns.filter((column) => isList(column) && optionColors(column).size > 0);
  const isGone = columnId !== '' && !columns.some(({ id }) => id === columnId);

  function changeBy(next: ColorOptions['by']) {
    const first = columnId === '' ? (lists[0]?.id ?? '') : columnId;
    onChange({ ...options, by: next, ...(next === 'column' && { columnId: first }) });
  }

  return (
    <fieldset className="rc-panel" disabled={isLocked}>
      <Choices<ColorOptions['by']>
        label={t('Colour by')}
        value={by}
        options={[
          { value: 'rules', label: t('By rules'), icon: 'filter' },
          { value: 'column', label: t('By a list of options'), icon: 'list' },
        ]}
        onChange={changeBy}
      />
      {by === 'column' ? (
        lists.length === 0 && !isGone ? (
          <p className="tr-note">
            {t(
              'The table has no list of options. Add a column of the type single select, or colour by rules.',
            )}
          </p>
        ) : (
          <>
            <Select
              className="tr-select--wide"
              label={t('List in whose colours rows are')}
              disabled={isLocked}
              invalid={isGone}
              value={columnId}
              options={[
                ...(isGone ? [{ value: columnId, label: t('a column that is gone') }] : []),
                ...lists.map(({ id, title }) => ({ value: id, label: title })),
              ]}
              onChange={(next) => onChange({ ...options, columnId: next })}
            />
            {isGone && (
              <p className="tr-field-problem">{t('The column is gone, so no row has its colours.')}</p>
            )}
          </>
        )
      ) : (
        <ColorRules
          {...{ columns, rules, isLocked }}
          onChange={(next) => onChange({ ...options, rules: next })}
        />
      )}
      <Choices<ColorOptions['place']>
        label={t('What is coloured')}
        value={place}
        options={[
          { value: 'row', label: t('Whole row'), icon: 'bars' },
          { value: 'stripe', label: t('Stripe at the edge'), icon: 'align-left' },
        ]}
        onChange={(next) => onChange({ ...options, place: next })}
      />
    </fieldset>
  );
}

/**
 * Says that visitors of the shared view do not see some colours: a colour by a hidden field would reveal its value, and a rule by
 * linked rows would reveal which rows exist.
 */
function LinkNote({ options, ...of }: ViewProps & { readonly options: ColorOptions }): ReactNode {
  const t = useT();
  const operators = useRegistry('filterOperators');
  const { columns = [] } = useViewColumns(of);
  const { by, columnId, rules } = options;
  const asked = by === 'column' ? [columnId] : rules.flatMap(({ filters }) => columnsIn(filters));
  const isHidden = (id: string) => columns.some(({ column, inView }) => column.id === id && !inView.show);
  const words = new Set(by === 'rules' ? rules.flatMap(({ filters }) => operatorsIn(filters)) : []);
  const areRowsPicked = operators.some(({ id, membersOnly }) => membersOnly === true && words.has(id));
  return (
    <>
      {asked.some(isHidden) && (
        <p className="tr-note">
          {t(
            'Whoever opens the view by its link sees no colours that hidden fields decide: they would tell what stands there.',
          )}
        </p>
      )}
      {areRowsPicked && (
        <p className="tr-note">
          {t('Whoever opens the view by its link sees no colours of rules by chosen rows.')}
        </p>
      )}
    </>
  );
}
