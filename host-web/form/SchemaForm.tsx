import { applyDefaults, problemsByField, validateSchema, type JsonSchema } from '@trellis/core';
import { useT, type SchemaFormProps } from '@trellis/sdk/web';
import { useMemo, useState } from 'react';
import { fieldsOf, groupsOf } from './form-fields.ts';
import { FormField } from './FormField.tsx';

/**
 * A form for a settings schema: the page's only form engine.
 *
 * A touched field shows its problem at once; the server's problems show until their field changes.
 */
export function SchemaForm({ schema, value, onChange, problems = {}, disabled = false }: SchemaFormProps) {
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const own = useMemo(() => ownProblems(schema, value, touched), [schema, value, touched]);
  const all = { ...problems, ...own };
  return (
    <ObjectFields
      schema={schema}
      value={value}
      path=""
      problems={all}
      disabled={disabled}
      onChange={onChange}
      onTouch={(path) => setTouched((before) => (before.has(path) ? before : new Set(before).add(path)))}
    />
  );
}

export interface ObjectFieldsProps {
  readonly schema: JsonSchema;
  readonly value: Readonly<Record<string, unknown>>;
  /** The object's JSON pointer. */
  readonly path: string;
  readonly problems: Readonly<Record<string, string>>;
  readonly disabled: boolean;
  readonly onChange: (value: Readonly<Record<string, unknown>>) => void;
  readonly onTouch: (path: string) => void;
}

/** The fields of one object, by group. */
export function ObjectFields({
  schema,
  value,
  path,
  problems,
  disabled,
  onChange,
  onTouch,
}: ObjectFieldsProps) {
  const t = useT();
  const groups = groupsOf(fieldsOf(schema, value, path));
  return (
    <div className="tr-form">
      {groups.map(({ name, fields }) => (
        <fieldset key={name} className="tr-form-group" disabled={disabled}>
          {name !== '' && <legend>{t(name)}</legend>}
          {fields.map((field) => (
            <FormField
              key={field.path}
              field={field}
              value={value[field.name]}
              problems={problems}
              disabled={disabled}
              onChange={(next) => {
                onChange(withProperty(value, field.name, next));
                onTouch(field.path);
              }}
              onTouch={onTouch}
            />
          ))}
        </fieldset>
      ))}
    </div>
  );
}

/** A copy with the property set, or removed if the value is undefined. */
function withProperty(
  value: Readonly<Record<string, unknown>>,
  name: string,
  next: unknown,
): Readonly<Record<string, unknown>> {
  const others = Object.entries(value).filter(([key]) => key !== name);
  return Object.fromEntries(next === undefined ? others : [...others, [name, next]]);
}

function ownProblems(
  schema: JsonSchema,
  value: unknown,
  touched: ReadonlySet<string>,
): Readonly<Record<string, string>> {
  if (touched.size === 0) return {};
  const found = problemsByField(validateSchema(schema, applyDefaults(schema, value)));
  return Object.fromEntries(Object.entries(found).filter(([path]) => touched.has(path)));
}
