import {
  dateFormats,
  durationFormats,
  isWrittenAsPage,
  moneyLocales,
  timeFormats,
  writeDuration,
  writeTime,
} from '#plugins/columns-basic/shared';
import type { ColumnEntity } from '@trellis/sdk/shared';
import { useT, type OptionsPanelProps } from '@trellis/sdk/web';
import { pageLanguage, SearchList, Select } from '@trellis/sdk/web/ui';
import { useRef, useState } from 'react';
import {
  exampleOf,
  numberFormats,
  signatureOf,
  writeNumber,
  type FormulaOptions,
  type Kind,
  type NumberFormat,
} from '../shared/index.ts';
import { FormulaEditor } from './FormulaEditor.tsx';
import { useColumnNotes } from './use-column-notes.ts';
import { FormulaPreview } from './FormulaPreview.tsx';
import { formulaTable } from './formula-table.ts';
import { readable, stateOf } from './formula-text.ts';
import { decimalsOf, moneyOf } from './money-of.ts';
import { inPage } from './show-formula.ts';
import { useFormulaFunctions } from './use-formula-functions.ts';

/** No locale has this name. */
const asPage = 'page';

/** Edits a column's formula and the format of its results. */
export default function FormulaOptionsPanel(props: OptionsPanelProps<FormulaOptions>) {
  const { options, project, table, columns = [], column, onChange } = props;
  const t = useT();
  const area = useRef<HTMLTextAreaElement>(null);
  const notes = useColumnNotes(columns);
  const [isListing, setListing] = useState(false);
  const functions = useFormulaFunctions();
  const place = formulaTable(columns, column, { added: functions.added });
  const titleOf = (id: string) => columns.find((of) => of.id === id)?.title ?? options.gone[id];
  const [text, setText] = useState(() => readable(options.formula, titleOf));
  const state = stateOf(text, place);
  /** Whether the number format follows the formula: true until somebody chooses a format. */
  const [follows, setFollows] = useState(column === undefined);

  function change(next: string) {
    setText(next);
    const { kind } = stateOf(next, place);
    const written = follows && kind !== undefined ? formatFor(next, columns) : {};
    onChange({ ...options, ...written, formula: next, result: kind ?? options.result });
  }

  function insert(name: string) {
    const at = area.current?.selectionStart ?? text.length;
    const written = `${name}()`;
    change(text.slice(0, at) + written + text.slice(at));
    setListing(false);
    requestAnimationFrame(() => {
      area.current?.focus();
      area.current?.setSelectionRange(at + written.length - 1, at + written.length - 1);
    });
  }

  return (
    <>
      <div className="tr-field">
        <span>{t('Formula')}</span>
        <FormulaEditor
          value={text}
          titles={place.columns.filter(({ kind }) => kind !== undefined).map(({ title }) => title)}
          notes={notes}
          problem={state.problem}
          area={area}
          onChange={change}
        />
        <button
          type="button"
          className="tr-link"
          aria-expanded={isListing}
          onClick={() => setListing(!isListing)}
        >
          {isListing ? t('Hide the functions') : t('All functions')}
        </button>
        {isListing && (
          <div className="cf-functions">
            <SearchList
              label={t('Find a function')}
              listLabel={t('Functions')}
              emptyText={t('No function matches.')}
              options={[...functions.all.values()].map((of) => ({
                id: of.name,
                label: signatureOf(of),
                detail: [
                  t(of.summary),
                  ...(of.takesLists === true
                    ? [
                        t(
                          'Takes lists of values, too, as lookups over many links are; what is empty in them does not count.',
                        ),
                      ]
                    : []),
                  exampleOf(of),
                ].join(' '),
                group: t(of.group),
              }))}
              onChoose={insert}
              onCancel={() => setListing(false)}
            />
          </div>
        )}
      </div>
      {state.run !== undefined && project !== undefined && table !== undefined && (
        <FormulaPreview
          project={project}
          table={table}
          columns={columns}
          text={text}
          columnId={column?.id}
          run={state.run}
          options={{ ...options, result: state.kind }}
        />
      )}
      <FormatFields
        // The kind of an empty formula's result is unknown.
        kind={state.kind ?? (options.result === 'any' ? 'nothing' : options.result)}
        options={options}
        onChange={(chosen) => {
          setFollows(false);
          onChange(chosen);
        }}
      />
    </>
  );
}

/** The number format while nobody chooses one: that of the money amounts in the formula, or else the plain one. */
function formatFor(text: string, columns: readonly ColumnEntity[]): Partial<FormulaOptions> {
  const money = moneyOf(text, columns);
  return money === undefined
    ? { number_format: 'plain' }
    : { ...money, number_format: 'currency', decimals: decimalsOf(money) };
}

const numberLabels: Readonly<Record<NumberFormat, string>> = {
  plain: 'As it is',
  decimal: 'With decimals',
  currency: 'Amount of money',
  percent: 'Percent',
  duration: 'Duration, of seconds',
};

/** An example for each duration format that shows all its parts. */
const sampleSeconds = ['5400', '5405', '5405.5', '5405.25', '5405.125'];

interface FormatFieldsProps {
  readonly kind: Kind;
  readonly options: FormulaOptions;
  readonly onChange: (options: FormulaOptions) => void;
}

/** The format of numbers or dates. */
function FormatFields({ kind, options, onChange }: FormatFieldsProps) {
  const t = useT();
  const timeField = (
    <Field label={t('Time format')}>
      <Select
        label={t('Time format')}
        value={options.time_format}
        options={timeFormats.map((value) => ({ value, label: writeTime('14:30:00', value) }))}
        onChange={(time_format) => onChange({ ...options, time_format })}
      />
    </Field>
  );
  if (kind === 'date' || kind === 'datetime')
    return (
      <>
        {kind === 'datetime' && (
          <Field label={t('Shown of it')}>
            <Select
              label={t('Shown of it')}
              value={options.moment_part}
              options={[
                { value: 'all', label: t('Day and time') },
                { value: 'time', label: t('The time alone') },
              ]}
              onChange={(moment_part) => onChange({ ...options, moment_part })}
            />
          </Field>
        )}
        {(kind === 'date' || options.moment_part === 'all') && (
          <Field label={t('Date format')}>
            <Select
              label={t('Date format')}
              value={options.date_format}
              options={dateFormats.map((value) => ({ value, label: value }))}
              onChange={(date_format) => onChange({ ...options, date_format })}
            />
          </Field>
        )}
        {kind === 'datetime' && timeField}
      </>
    );
  if (kind === 'text' || kind === 'any')
    return (
      <>
        <Field label={t('Texts as')}>
          <Select
            label={t('Texts as')}
            value={options.text_format}
            options={[
              { value: 'plain', label: t('As they are') },
              { value: 'time', label: t('Times of the day') },
            ]}
            onChange={(text_format) => onChange({ ...options, text_format })}
          />
        </Field>
        {options.text_format === 'time' && timeField}
      </>
    );
  if (kind !== 'number') return null;
  const names = new Intl.DisplayNames(pageLanguage(), { type: 'currency' });
  const digits = ['0', '1', '2', '3', '4', '5', '6'];
  return (
    <>
      <Field label={t('Numbers as')}>
        <Select
          label={t('Numbers as')}
          value={options.number_format}
          options={numberFormats.map((value) => ({ value, label: t(numberLabels[value]) }))}
          onChange={(number_format) => onChange({ ...options, number_format })}
        />
      </Field>
      {options.number_format === 'duration' && (
        <Field label={t('Format of durations')}>
          <Select
            label={t('Format of durations')}
            value={String(options.duration)}
            options={durationFormats.map((format, index) => ({
              value: String(index),
              label: `${format} (${writeDuration(sampleSeconds[index] ?? '0', index)})`,
            }))}
            onChange={(value) => onChange({ ...options, duration: Number(value) })}
          />
        </Field>
      )}
      {options.number_format !== 'plain' && options.number_format !== 'duration' && (
        <Field label={t('Decimals')}>
          <Select
            label={t('Decimals')}
            value={String(options.decimals)}
            options={digits.map((value) => ({ value, label: value }))}
            onChange={(value) => onChange({ ...options, decimals: Number(value) })}
          />
        </Field>
      )}
      {options.number_format === 'currency' && (
        <Field label={t('Currency')}>
          <Select
            label={t('Currency')}
            value={options.currency_code}
            options={Intl.supportedValuesOf('currency').map((value) => ({
              value,
              label: `${value} · ${names.of(value) ?? value}`,
            }))}
            onChange={(currency_code) =>
              onChange({ ...options, currency_code, decimals: decimalsOf({ currency_code }) })
            }
          />
        </Field>
      )}
      {options.number_format === 'currency' && (
        <Field label={t('Written as')}>
          <Select
            label={t('Written as')}
            value={isWrittenAsPage(options) ? asPage : options.currency_locale}
            options={[
              {
                value: asPage,
                label: t('In the format of each reader: {{example}}', {
                  example: writeNumber(1234.5, inPage({ ...options, currency_format: 'page' })),
                }),
              },
              ...[...new Set([...moneyLocales, options.currency_locale])].map((value) => ({
                value,
                label: `${writeNumber(1234.5, { ...options, currency_locale: value })} (${value})`,
              })),
            ]}
            onChange={(chosen) =>
              onChange(
                chosen === asPage
                  ? { ...options, currency_format: 'page' }
                  : { ...options, currency_format: 'locale', currency_locale: chosen },
              )
            }
          />
        </Field>
      )}
    </>
  );
}

function Field({ label, children }: { readonly label: string; readonly children: React.ReactNode }) {
  return (
    <div className="tr-field">
      <span>{label}</span>
      {children}
    </div>
  );
}
