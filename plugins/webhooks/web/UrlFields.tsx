import { requestMethods, type RequestMethod, type RequestTemplate } from '@trellis/sdk/shared';
import { useT } from '@trellis/sdk/web';
import { PairFields, Select, TemplateField, type TemplateNaming } from '@trellis/sdk/web/ui';
import type { Ref } from 'react';

interface UrlFieldsProps {
  readonly payload: RequestTemplate;
  /** The field of the address. */
  readonly address: Ref<HTMLInputElement>;
  readonly naming: TemplateNaming;
  readonly onChange: (change: Partial<RequestTemplate>) => void;
}

/** The request to an address, without its body. */
export function UrlFields({ payload, address, naming, onChange }: UrlFieldsProps) {
  const t = useT();
  return (
    <>
      <div className="webhooks-line webhooks-line--address">
        <label className="tr-field">
          <span>{t('Method')}</span>
          <Select<RequestMethod>
            label={t('Method')}
            value={payload.method}
            options={requestMethods.map((value) => ({ value, label: value }))}
            onChange={(method) => onChange({ method })}
          />
        </label>
        <TemplateField
          label={t('Address')}
          field={address}
          value={payload.path}
          naming={naming}
          onChange={(path) => onChange({ path })}
        />
      </div>
      <PairFields
        legend={t('Parameters')}
        add={t('Add a parameter')}
        value={payload.parameters}
        naming={naming}
        onChange={(parameters) => onChange({ parameters })}
      />
      <PairFields
        legend={t('Headers')}
        add={t('Add a header')}
        value={payload.headers}
        naming={naming}
        onChange={(headers) => onChange({ headers })}
      />
    </>
  );
}
