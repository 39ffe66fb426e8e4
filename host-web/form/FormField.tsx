import { useT } from '@trellis/sdk/web';
import { useId } from 'react';
import { asRecord } from '../base/as-record.ts';
import { Control } from './Control.tsx';
import type { Field } from './form-fields.ts';
import { ListField } from './ListField.tsx';
import { ObjectFields } from './SchemaForm.tsx';

interface FormFieldProps {
  readonly field: Field;
  readonly value: unknown;
  readonly problems: Readonly<Record<string, string>>;
  readonly disabled: boolean;
  readonly onChange: (value: unknown) => void;
  readonly onTouch: (path: string) => void;
}

/** One field: its label, control, help text and problem. */
export function FormField({ field, value, problems, onChange, onTouch, ...props }: FormFieldProps) {
  const t = useT();
  const id = useId();
  const { schema, path, label, required } = field;
  const hints = schema['x-ui'];
  const isLocked = hints?.locked === true;
  const disabled = props.disabled || isLocked;
  const isMarked = required && !isLocked && canBeLeftEmpty(schema, value);
  const problem = problems[path];
  const said = hints?.help ?? schema.description;
  const help = isLocked ? t('Set in the configuration of this server.') : said && t(said);
  const shared = { path, problems, disabled, onTouch };

  if (schema.type === 'object' && schema.properties !== undefined) {
    return (
      <fieldset className="tr-form-group">
        <legend>{t(label)}</legend>
        <ObjectFields {...shared} schema={schema} value={asRecord(value)} onChange={onChange} />
      </fieldset>
    );
  }
  const isList = schema.type === 'array' && schema.items?.type === 'object';
  const described = [help === undefined ? '' : `${id}-help`, problem === undefined ? '' : `${id}-problem`]
    .filter(Boolean)
    .join(' ');
  return (
    <div className={schema.type === 'boolean' ? 'tr-field tr-field--inline' : 'tr-field'}>
      {isList ? (
        <span>{t(label)}</span>
      ) : (
        <label htmlFor={id}>
          {t(label)}
          {isMarked && (
            <span className="tr-form-required" aria-hidden="true">
              *
            </span>
          )}
        </label>
      )}
      {isList ? (
        <ListField {...shared} schema={schema} value={value} onChange={onChange} />
      ) : (
        <Control
          id={id}
          schema={schema}
          // The default applies while nothing is set; it is stored with the rest.
          value={value === undefined ? schema.default : value}
          required={isMarked}
          disabled={disabled}
          invalid={problem !== undefined}
          describedBy={described === '' ? undefined : described}
          onChange={onChange}
          onBlur={() => onTouch(path)}
        />
      )}
      {help !== undefined && (
        <span id={`${id}-help`} className="tr-note">
          {help}
        </span>
      )}
      {problem !== undefined && (
        <span id={`${id}-problem`} className="tr-field-problem" role="alert">
          {sentence(t(label), t(problem))}
        </span>
      )}
    </div>
  );
}

/** A switch always has a value, and so does a choice with a value or a default. */
function canBeLeftEmpty(
  { type, enum: choices, default: standard }: Field['schema'],
  value: unknown,
): boolean {
  return type !== 'boolean' && (choices === undefined || (value ?? standard) === undefined);
}

/** Adds the field's name to messages like "must be a whole number". */
function sentence(label: string, problem: string): string {
  return /^(must|is) /.test(problem) ? `${label} ${problem}` : problem;
}
