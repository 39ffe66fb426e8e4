import type { CellValue } from '@trellis/sdk/shared';
import { useT, type ViewLinkProps } from '@trellis/sdk/web';
import { CopyField, Skeleton } from '@trellis/sdk/web/ui';
import { useViewColumns } from '@trellis/sdk/web/views';
import { useMemo, useState } from 'react';
import { useFormFields, type PageField } from './form-fields.ts';
import { FormField } from './FormField.tsx';
import { addressedAnswers } from './use-prefilled.ts';
import './form.css';
import './form-builder.css';

/** Creates links with prefilled answers: shows the form's fields, and the address for their values. */
export default function PrefillBuilder(props: ViewLinkProps) {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="form-prefill">
      <button type="button" className="tr-button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <i className="pi pi-pencil" aria-hidden="true" /> {t('Link with answers filled in')}
      </button>
      {isOpen && <Builder {...props} />}
    </div>
  );
}

function Builder({ address, ...props }: ViewLinkProps) {
  const t = useT();
  const { columns } = useViewColumns(props);
  const places = useMemo(() => columns?.map(({ inView }) => inView) ?? [], [columns]);
  const fields = useFormFields(places, props.table.columns ?? []).filter(isAddressed);
  const [values, setValues] = useState<Readonly<Record<string, CellValue>>>({});
  if (columns === undefined) return <Skeleton height={48} count={3} />;
  const example = fields.find(({ options }) => options.hidden) ?? fields[0];
  return (
    <section className="form-prefill-fields" aria-label={t('Answers that the link fills in')}>
      <p className="tr-note">
        {t('Fill in what the link is to say. Who opens it can change that, save in hidden fields.')}
      </p>
      <CopyField
        label={t('Link with answers filled in')}
        value={address + addressedAnswers(fields, values)}
        copied={t('Link copied')}
        refused={t('The browser did not let it be copied. Please select the link.')}
      />
      {fields.map((field) => (
        <FormField
          key={field.columnId}
          project={props.project}
          field={{ ...field, isNeeded: false, options: { ...field.options, required: false } }}
          value={values[field.columnId] ?? null}
          problem={undefined}
          onChange={(value) => setValues((before) => ({ ...before, [field.columnId]: value }))}
          onProblem={() => undefined}
        />
      ))}
      {example !== undefined && (
        <small className="tr-note">
          {t(
            'By hand: add {{text}} to the link, and more with & between them. Fields are named by their titles or labels; several options or rows are joined by commas; linked rows are named by their names, or by their keys as {{key}}.',
            { text: `?${encodeURIComponent(example.column.title)}=…`, key: 'id:7' },
          )}
        </small>
      )}
    </section>
  );
}

/** Whether an address can contain the field's answers. */
function isAddressed({ type }: PageField): boolean {
  return type.takesFiles !== true && (type.Answer === undefined || type.addressed !== undefined);
}
