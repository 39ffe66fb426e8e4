import { useT } from '@trellis/sdk/web';

interface MailFieldsProps {
  readonly payload: Readonly<Record<string, unknown>>;
  readonly onChange: (change: Readonly<Record<string, unknown>>) => void;
}

/** To whom a mail goes and what stands over it. */
export function MailFields({ payload, onChange }: MailFieldsProps) {
  const t = useT();
  const field = (key: string, label: string, placeholder: string) => (
    <label className="tr-field">
      <span>{label}</span>
      <input
        className="p-inputtext p-component"
        placeholder={placeholder}
        value={typeof payload[key] === 'string' ? payload[key] : ''}
        onChange={(event) => onChange({ [key]: event.target.value })}
      />
    </label>
  );
  return (
    <div className="webhooks-line">
      {field('to', t('To'), 'ann@example.com, {{data.Mail}}')}
      {field('subject', t('Subject'), `{{table.title}}: {{data.Title}}`)}
    </div>
  );
}
