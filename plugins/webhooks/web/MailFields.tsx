import { useT } from '@trellis/sdk/web';
import { TemplateField, type TemplateNaming } from '@trellis/sdk/web/ui';

interface MailFieldsProps {
  readonly payload: Readonly<Record<string, unknown>>;
  readonly naming: TemplateNaming;
  readonly onChange: (change: Readonly<Record<string, unknown>>) => void;
}

/** A mail's recipients and subject. */
export function MailFields({ payload, naming, onChange }: MailFieldsProps) {
  const t = useT();
  const field = (key: string, label: string, placeholder: string) => (
    <TemplateField
      label={label}
      placeholder={placeholder}
      value={typeof payload[key] === 'string' ? payload[key] : ''}
      naming={naming}
      onChange={(text) => onChange({ [key]: text })}
    />
  );
  return (
    <div className="webhooks-line">
      {field('to', t('To'), 'ann@example.com, {{data.Mail}}')}
      {field('subject', t('Subject'), `{{table.title}}: {{row.Title}}`)}
    </div>
  );
}
