import type { ColumnEntity } from '@trellis/sdk/shared';
import { useT } from '@trellis/sdk/web';
import { Select } from '@trellis/sdk/web/ui';
import type { TemplateNames } from '../shared/index.ts';
import { TemplateField } from './TemplateField.tsx';

interface CellFieldsProps {
  readonly legend: string;
  readonly columns: readonly ColumnEntity[];
  readonly value: Readonly<Record<string, string>>;
  readonly names: TemplateNames;
  readonly onChange: (value: Readonly<Record<string, string>>) => void;
}

/** The cells that a step writes, each by a template. */
export function CellFields({ legend, columns, value, names, onChange }: CellFieldsProps) {
  const t = useT();
  const written = columns.filter(
    ({ system, virtual, ai, uidt }) =>
      system !== true && virtual !== true && ai !== true && uidt !== 'ForeignKey',
  );
  const free = written.filter(({ id }) => !Object.hasOwn(value, id));
  return (
    <fieldset className="automations-cells">
      <legend>{legend}</legend>
      {Object.entries(value).map(([id, template]) => {
        const title = columns.find((column) => column.id === id)?.title ?? t('a column that is gone');
        return (
          <div key={id} className="automations-cell">
            <TemplateField
              label={title}
              value={template}
              names={names}
              onChange={(text) => onChange({ ...value, [id]: text })}
            />
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
