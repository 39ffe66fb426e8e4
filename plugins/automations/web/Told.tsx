import { beginOf } from '@trellis/sdk/shared';
import { useHost } from '@trellis/sdk/web';
import { copyText } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import { jsonText } from './run-words.ts';

interface ToldProps {
  readonly label: string;
  readonly value: unknown;
}

/** What a step was given or gave: a list of fields and values, and the same as JSON to be copied. */
export function Told({ label, value }: ToldProps) {
  const { t } = useHost();
  const [isJson, setJson] = useState(false);
  if (value === null || value === undefined || jsonText(value) === '{}') return null;
  const nameOf = (name: string) => (Object.hasOwn(fieldWords, name) ? t(fieldWords[name] ?? name) : name);
  return (
    <section className="automations-told" aria-label={label}>
      <header>
        <small>{label}</small>
        <button
          type="button"
          className="tr-link"
          aria-pressed={isJson}
          aria-label={t('{{what}} as JSON', { what: label })}
          onClick={() => setJson(!isJson)}
        >
          JSON
        </button>
      </header>
      {isJson ? <RawJson label={label} text={jsonText(value)} /> : <Fields value={value} nameOf={nameOf} />}
    </section>
  );
}

function RawJson({ label, text }: { readonly label: string; readonly text: string }) {
  const { t, toast } = useHost();
  async function copy() {
    const isCopied = await copyText(text);
    toast(
      isCopied
        ? { severity: 'success', summary: t('The JSON is copied') }
        : {
            severity: 'error',
            summary: t('The browser does not let it be copied; select it and copy it yourself.'),
          },
    );
  }
  return (
    <div className="automations-json">
      <pre dir="ltr" aria-label={t('{{what}} as JSON', { what: label })}>
        {text}
      </pre>
      <button type="button" className="tr-action" onClick={() => void copy()}>
        <i className="pi pi-copy" aria-hidden="true" /> {t('Copy')}
      </button>
    </div>
  );
}

const previewed = { parts: 3, characters: 60 };

type Parts = readonly (readonly [name: string, value: unknown])[];

/** The parts of an object or a list; undefined for a single value. */
function partsOf(value: unknown): Parts | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  return Array.isArray(value)
    ? value.map((part: unknown, index) => [String(index + 1), part] as const)
    : Object.entries(value);
}

const asItIs = (name: string) => name;

/** @param props.nameOf what a field is called; titles of columns are called what they are */
function Fields(props: { readonly value: unknown; readonly nameOf?: (name: string) => string }) {
  const { value, nameOf = asItIs } = props;
  const parts = partsOf(value);
  if (parts === undefined) return <Single value={value} />;
  return (
    <dl className="automations-fields">
      {parts.map(([name, part]) => {
        const inner = partsOf(part);
        return inner === undefined || inner.length === 0 ? (
          <div key={name}>
            <dt>{nameOf(name)}</dt>
            <dd>
              <Single value={part} />
            </dd>
          </div>
        ) : (
          <Folded key={name} name={nameOf(name)} parts={inner} value={part} />
        );
      })}
    </dl>
  );
}

/** A value that has parts of its own: they are drawn once somebody asks for them. */
function Folded(props: { readonly name: string; readonly parts: Parts; readonly value: unknown }) {
  const { name, parts, value } = props;
  const count = parts.length;
  const { t } = useHost();
  const [isOpen, setOpen] = useState(false);
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>
            {Array.isArray(value)
              ? t('{{count}} entries', { count, one: 'one entry' })
              : t('{{count}} fields', { count, one: 'one field' })}{' '}
            {!isOpen && <span className="automations-preview">{previewOf(parts, value)}</span>}
          </summary>
          {isOpen && <Fields value={value} />}
        </details>
      </dd>
    </div>
  );
}

/** The first of the parts that are single values, for whoever looks for one run among many. */
function previewOf(parts: Parts, whole: unknown): string {
  return parts
    .filter(([, part]) => partsOf(part) === undefined && part !== null && part !== '')
    .slice(0, previewed.parts)
    .map(
      ([name, part]) =>
        (Array.isArray(whole) ? '' : `${name}: `) + beginOf(String(part), previewed.characters),
    )
    .join(' · ');
}

function Single({ value }: { readonly value: unknown }) {
  const { t } = useHost();
  if (value === true) return t('Yes');
  if (value === false) return t('No');
  if (value === '' || (typeof value !== 'string' && typeof value !== 'number'))
    return <span className="automations-empty">{t('Empty')}</span>;
  return <span dir="auto">{value}</span>;
}

/** What steps of this plugin tell, in the words of their settings. */
const fieldWords: Readonly<Record<string, string>> = {
  act: 'What to do',
  body: 'Body',
  channel: 'Channel',
  choice: 'Chosen',
  conditions: 'Conditions',
  count: 'Number of rows',
  failed: 'Failed rows',
  first: 'First row',
  found: 'Rows found',
  headers: 'Headers',
  key: 'Key of the row',
  method: 'Method',
  previous: 'The row before the change',
  row: 'The row',
  rows: 'Rows',
  status: 'Status of the answer',
  subject: 'Subject',
  table: 'Table',
  text: 'Message',
  to: 'To',
  trigger: 'Details',
  until: 'Until',
  url: 'Address',
  values: 'Values to write',
};
