import type { JsonSchema } from '@trellis/core';
import { Chips } from 'primereact/chips';
import { Dropdown } from 'primereact/dropdown';
import { InputNumber } from 'primereact/inputnumber';
import { InputText } from 'primereact/inputtext';
import { InputTextarea } from 'primereact/inputtextarea';
import { MultiSelect } from 'primereact/multiselect';
import { useT } from '@trellis/sdk/web';
import { Switch } from '@trellis/sdk/web/ui';
import { SecretControl } from './SecretControl.tsx';

export interface ControlProps {
  readonly id: string;
  readonly schema: JsonSchema;
  readonly value: unknown;
  readonly required: boolean;
  readonly disabled: boolean;
  readonly invalid: boolean;
  readonly describedBy: string | undefined;
  /** `undefined` removes the value. */
  readonly onChange: (value: unknown) => void;
  readonly onBlur: () => void;
}

type Kind =
  | 'boolean'
  | 'choice'
  | 'choices'
  | 'list'
  | 'number'
  | 'secret'
  | 'secretLines'
  | 'multiline'
  | 'colour'
  | 'text';

const inputTypes: Readonly<Record<string, string>> = {
  email: 'email',
  'http-url': 'url',
  uri: 'url',
  date: 'date',
  time: 'time',
};

/** The kind of control for a schema. */
function kindOf(schema: JsonSchema): Kind {
  const widget = schema['x-ui']?.widget;
  if (schema.type === 'boolean') return 'boolean';
  if (schema.enum !== undefined) return 'choice';
  if (schema.type === 'array') return schema.items?.enum === undefined ? 'list' : 'choices';
  if (schema.type === 'number' || schema.type === 'integer') return 'number';
  if (schema.format === 'secret' && widget === 'textarea') return 'secretLines';
  if (schema.format === 'secret' || schema.format === 'password') return 'secret';
  if (schema.format === 'multiline' || widget === 'textarea') return 'multiline';
  return schema.format === 'color' ? 'colour' : 'text';
}

/** The control of one value. */
export function Control(props: ControlProps) {
  const { id, schema, value, disabled, invalid, describedBy, onChange, onBlur, required } = props;
  const t = useT();
  const placeholder = schema['x-ui']?.placeholder;
  const aria = { 'aria-describedby': describedBy, 'aria-invalid': invalid, 'aria-required': required };
  const text = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
  const changeText = (next: string) => onChange(next === '' && !required ? undefined : next);

  switch (kindOf(schema)) {
    case 'boolean':
      return (
        <Switch
          id={id}
          checked={value === true}
          disabled={disabled}
          describedBy={describedBy}
          onChange={onChange}
        />
      );
    case 'choice':
      return (
        <Dropdown
          inputId={id}
          value={value ?? null}
          options={optionsOf(schema, t)}
          placeholder={placeholder ?? t('Choose')}
          // A cleared field gets its default, so it can be cleared only if there is none.
          showClear={!required && value !== undefined && schema.default === undefined}
          disabled={disabled}
          invalid={invalid}
          onChange={(event) => onChange((event.value as unknown) ?? undefined)}
          onBlur={onBlur}
          ariaLabel={schema.title && t(schema.title)}
          {...aria}
          // The field itself announces the choice; PrimeReact's hidden list has no accessible name.
          pt={{ select: { 'aria-hidden': true } }}
        />
      );
    case 'choices':
      return (
        <MultiSelect
          inputId={id}
          value={Array.isArray(value) ? value : []}
          options={optionsOf(schema.items ?? {}, t)}
          placeholder={placeholder ?? t('Choose')}
          disabled={disabled}
          invalid={invalid}
          display="chip"
          onChange={(event) => onChange(event.value)}
          onBlur={onBlur}
          {...aria}
        />
      );
    case 'list':
      return (
        <Chips
          inputId={id}
          value={Array.isArray(value) ? value.map(String) : []}
          placeholder={placeholder ?? t('Type and press Enter')}
          disabled={disabled}
          max={schema.maxItems}
          addOnBlur
          onChange={(event) => onChange(typedItems(schema, event.value ?? []))}
          onBlur={onBlur}
          {...aria}
        />
      );
    case 'number':
      return (
        <InputNumber
          inputId={id}
          value={typeof value === 'number' ? value : null}
          placeholder={placeholder}
          useGrouping={false}
          maxFractionDigits={schema.type === 'integer' ? 0 : 10}
          disabled={disabled}
          invalid={invalid}
          onChange={(event) => onChange(event.value ?? undefined)}
          onBlur={onBlur}
          {...aria}
        />
      );
    case 'secret':
      return <SecretControl {...props} text={text} hasLines={false} />;
    case 'secretLines':
      return <SecretControl {...props} text={text} hasLines />;
    case 'multiline':
      return (
        <InputTextarea
          id={id}
          value={text}
          rows={4}
          autoResize
          placeholder={placeholder}
          disabled={disabled}
          invalid={invalid}
          onChange={(event) => changeText(event.target.value)}
          onBlur={onBlur}
          {...aria}
        />
      );
    case 'colour':
      return (
        <input
          id={id}
          type="color"
          className="tr-colour"
          value={/^#[0-9a-f]{6}/i.test(text) ? text.slice(0, 7) : '#000000'}
          disabled={disabled}
          onChange={(event) => onChange(event.target.value)}
          onBlur={onBlur}
          {...aria}
        />
      );
    case 'text':
      return (
        <InputText
          id={id}
          type={inputTypes[schema.format ?? ''] ?? 'text'}
          value={text}
          placeholder={placeholder}
          maxLength={schema.maxLength}
          disabled={disabled}
          invalid={invalid}
          onChange={(event) => changeText(event.target.value)}
          onBlur={onBlur}
          {...aria}
        />
      );
  }
}

function optionsOf(schema: JsonSchema, t: (text: string) => string) {
  const labels = schema['x-ui']?.labels;
  return (schema.enum ?? []).map((value, index) => ({ value, label: t(labels?.[index] ?? String(value)) }));
}

/**
 * Chips contain text, but a list of numbers needs numbers. Items that are not numbers stay text, and the validator reports them.
 */
function typedItems(schema: JsonSchema, items: readonly string[]): readonly unknown[] {
  const numeric = schema.items?.type === 'number' || schema.items?.type === 'integer';
  return numeric ? items.map((item) => (Number.isNaN(Number(item)) ? item : Number(item))) : items;
}
