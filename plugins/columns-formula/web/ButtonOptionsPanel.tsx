import { useServerData, useT, type OptionsPanelProps } from '@trellis/sdk/web';
import { Select } from '@trellis/sdk/web/ui';
import { useId, useRef, useState } from 'react';
import { buttonColors, buttonIcons, type ButtonAct, type ButtonOptions } from '../shared/index.ts';
import { ChoiceField } from './ChoiceField.tsx';
import { FormulaEditor } from './FormulaEditor.tsx';
import { useColumnNotes } from './use-column-notes.ts';
import { formulaTable } from './formula-table.ts';
import { readable, stateOf } from './formula-text.ts';
import { useFormulaFunctions } from './use-formula-functions.ts';

const colorLabels = {
  primary: 'Colour of the theme',
  success: 'Green',
  warning: 'Orange',
  danger: 'Red',
  secondary: 'Grey',
} as const;

const iconLabels = {
  '': 'None',
  'external-link': 'Open',
  send: 'Send',
  check: 'Tick',
  play: 'Start',
  refresh: 'Again',
  phone: 'Phone',
  envelope: 'Letter',
} as const;

/** A button's label, its look and its action. */
export default function ButtonOptionsPanel(props: OptionsPanelProps<ButtonOptions>) {
  const { options, project, table, columns = [], column, onChange } = props;
  const t = useT();
  const labelId = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const notes = useColumnNotes(columns);
  const { added } = useFormulaFunctions();
  const place = formulaTable(columns, column, { added });
  const titleOf = (id: string) => columns.find((of) => of.id === id)?.title ?? options.gone[id];
  const [text, setText] = useState(() => readable(options.formula, titleOf));
  const { data } = useServerData<{ readonly list: readonly ButtonAct[] }>(
    project && {
      method: 'GET',
      path: `/api/v1/plugins/columns-formula/projects/${encodeURIComponent(project.id)}/button-operations`,
    },
    { tags: ['plugins'] },
  );
  const operations = data?.list ?? [];
  const act = operations.find(({ id }) => id === options.operation);
  const choices = [
    ...(act ? [] : [{ value: options.operation, label: options.operation || t('choose') }]),
    ...operations.map(({ id, label }) => ({ value: id, label: t(label) })),
  ];

  return (
    <>
      <label className="tr-field" htmlFor={labelId}>
        <span>{t('Text on the button')}</span>
        <input
          id={labelId}
          className="p-inputtext p-component"
          maxLength={60}
          placeholder={column?.title ?? t('Button')}
          value={options.label}
          onChange={(event) => onChange({ ...options, label: event.target.value })}
        />
      </label>
      <div className="tr-field">
        <span>{t('When pressed')}</span>
        <Select<ButtonOptions['action']>
          label={t('When pressed')}
          value={options.action}
          options={[
            { value: 'link', label: t('Open a link') },
            { value: 'run', label: t('Do something with the row') },
          ]}
          onChange={(action) => onChange({ ...options, action })}
        />
      </div>
      {options.action === 'link' ? (
        <div className="tr-field">
          <span>{t('Address, as a formula')}</span>
          <FormulaEditor
            value={text}
            titles={place.columns.filter(({ kind }) => kind !== undefined).map(({ title }) => title)}
            notes={notes}
            problem={stateOf(text, place).problem}
            area={area}
            onChange={(formula) => {
              setText(formula);
              onChange({ ...options, formula });
            }}
          />
          <p className="tr-note">{t('For example: "https://example.com/?q=" & ENCODE_URL(Title)')}</p>
        </div>
      ) : (
        <>
          <div className="tr-field">
            <span>{t('What is done')}</span>
            {operations.length === 0 && options.operation === '' ? (
              <p className="tr-note">{t('No plugin that is on brings anything for buttons.')}</p>
            ) : (
              <Select
                label={t('What is done')}
                value={options.operation}
                options={choices}
                onChange={(operation) => onChange({ ...options, operation, choice: '' })}
              />
            )}
          </div>
          {act?.choice_label !== undefined && table !== undefined && (
            <ChoiceField
              act={act}
              label={t(act.choice_label)}
              table={table}
              value={options.choice}
              onChange={(choice) => onChange({ ...options, choice })}
            />
          )}
        </>
      )}
      <div className="tr-field">
        <span>{t('Colour')}</span>
        <Select
          label={t('Colour')}
          value={options.color}
          options={buttonColors.map((value) => ({ value, label: t(colorLabels[value]) }))}
          onChange={(color) => onChange({ ...options, color })}
        />
      </div>
      <div className="tr-field">
        <span>{t('Icon')}</span>
        <Select
          label={t('Icon')}
          value={options.icon}
          options={buttonIcons.map((value) => ({ value, label: t(iconLabels[value]) }))}
          onChange={(icon) => onChange({ ...options, icon })}
        />
      </div>
    </>
  );
}
