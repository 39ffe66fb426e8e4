import { placeholderFor, type ColumnEntity } from '@trellis/sdk/shared';
import { useRegistry, useT, type Translate, type WebColumnType } from '@trellis/sdk/web';
import { Select } from '@trellis/sdk/web/ui';
import type { TemplateNames } from '../shared/index.ts';
import { ChosenField } from './ChosenField.tsx';
import { TemplateField } from './TemplateField.tsx';

interface CellFieldsProps {
  readonly legend: string;
  readonly columns: readonly ColumnEntity[];
  readonly value: Readonly<Record<string, string>>;
  readonly names: TemplateNames;
  /** Whether link columns are offered. */
  readonly hasLinks: boolean;
  /** A problem of the column with this title. */
  readonly problem?: { readonly column: string; readonly message: string } | undefined;
  readonly onChange: (value: Readonly<Record<string, string>>) => void;
}

/** The cells that a step writes, each with a template. */
export function CellFields(props: CellFieldsProps) {
  const { legend, columns, value, names, hasLinks, problem, onChange } = props;
  const t = useT();
  const types = useRegistry('columnTypes');
  const written = columns.filter(
    (column) =>
      column.system !== true &&
      column.ai !== true &&
      column.uidt !== 'ForeignKey' &&
      (isLink(column) ? hasLinks : column.virtual !== true),
  );
  const choicesOf = (column: ColumnEntity | undefined) =>
    column !== undefined && isLink(column) ? linkChoices(names, t) : optionChoices(column, t);
  const free = written.filter(({ id }) => !Object.hasOwn(value, id));
  return (
    <fieldset className="automations-cells">
      <legend>{legend}</legend>
      {Object.entries(value).map(([id, template]) => {
        const column = columns.find((one) => one.id === id);
        const title = column?.title ?? t('a column that is gone');
        const options = choicesOf(column);
        const field = {
          label: title,
          value: template,
          names,
          problem: problem?.column === column?.title ? problem?.message : undefined,
          placeholder: exampleFor(
            column,
            types.find((type) => type.id === column?.uidt),
          ),
          onChange: (text: string) => onChange({ ...value, [id]: text }),
        };
        return (
          <div key={id} className="automations-cell">
            {options === undefined ? (
              <TemplateField {...field} />
            ) : (
              <ChosenField {...field} options={options} />
            )}
            <button
              type="button"
              className="tr-icon-button"
              aria-label={t('Leave {{column}} out', { column: title })}
              title={t('Leave {{column}} out', { column: title })}
              onClick={() =>
                onChange(Object.fromEntries(Object.entries(value).filter(([other]) => other !== id)))
              }
            >
              <i className="pi pi-times" aria-hidden="true" />
            </button>
          </div>
        );
      })}
      {free.length > 0 && (
        <Select<string>
          label={t('Set a column')}
          value=""
          options={[
            { value: '', label: t('Set a column …') },
            ...free.map((column) => ({ value: column.id, label: column.title })),
          ]}
          onChange={(id) => {
            if (id !== '') onChange({ ...value, [id]: '' });
          }}
        />
      )}
    </fieldset>
  );
}

function isLink({ uidt }: ColumnEntity): boolean {
  return uidt === 'LinkToAnotherRecord' || uidt === 'Links';
}

/** Types that accept any text, so that an example is useless. */
const anyText = new Set(['SingleLineText', 'LongText']);

/** An example of a column's value; undefined if any text is valid. */
function exampleFor(column: ColumnEntity | undefined, type: WebColumnType | undefined): string | undefined {
  if (column === undefined || type === undefined || anyText.has(column.uidt)) return undefined;
  const values = type.examples.map(({ value }) => value);
  const example = values.find((value) => typeof value === 'string' || typeof value === 'number');
  return example === undefined ? undefined : String(example);
}

/** The values of a column that has only a few; undefined for other columns. */
function optionChoices(column: ColumnEntity | undefined, t: Translate) {
  if (column?.uidt === 'Checkbox')
    return [
      { value: 'true', label: t('Yes') },
      { value: 'false', label: t('No') },
    ];
  if (column?.uidt !== 'SingleSelect') return undefined;
  const options = (column.meta?.options ?? []) as readonly { readonly title: string }[];
  return options.map(({ title }) => ({ value: title, label: title }));
}

/** The rows with known keys: the row that started the automation, and those of earlier steps. */
function linkChoices({ trigger, steps }: TemplateNames, t: Translate) {
  return [
    ...(trigger.includes('row')
      ? [{ value: placeholderFor(['trigger', 'row']), label: t('The row that started it') }]
      : []),
    ...steps
      .filter(({ outputs }) => outputs.includes('key'))
      .map(({ name }) => ({
        value: placeholderFor(['steps', name, 'key']),
        label: t('The row of the step {{step}}', { step: name }),
      })),
  ];
}
