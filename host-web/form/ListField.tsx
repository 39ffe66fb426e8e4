import type { JsonSchema } from '@trellis/core';
import { useT } from '@trellis/sdk/web';
import { useKeptFocus } from '@trellis/sdk/web/ui';
import { useRef } from 'react';
import { asRecord } from '../base/as-record.ts';
import { ObjectFields } from './SchemaForm.tsx';

interface ListFieldProps {
  readonly schema: JsonSchema;
  readonly value: unknown;
  readonly path: string;
  readonly problems: Readonly<Record<string, string>>;
  readonly disabled: boolean;
  readonly onChange: (value: unknown) => void;
  readonly onTouch: (path: string) => void;
}

/** A list of objects: each can be edited and removed, and new ones can be added. */
export function ListField({ schema, value, path, onChange, ...shared }: ListFieldProps) {
  const t = useT();
  const more = useRef<HTMLButtonElement>(null);
  const { list, pressed } = useKeptFocus(() => more.current);
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  const full = schema.maxItems !== undefined && items.length >= schema.maxItems;
  return (
    <>
      <ul ref={list} className="tr-parts">
        {items.map((item, index) => (
          // The schema gives items no identity; new ones are only added at the end.
          <li key={index} className="tr-form-item">
            <ObjectFields
              {...shared}
              schema={schema.items ?? {}}
              value={asRecord(item)}
              path={`${path}/${index}`}
              onChange={(next) => onChange(items.map((other, at) => (at === index ? next : other)))}
            />
            <button
              type="button"
              className="tr-icon-button"
              data-entry-action
              aria-label={t('Remove entry {{number}}', { number: index + 1 })}
              onClick={() => {
                pressed(index);
                onChange(items.filter((_, at) => at !== index));
              }}
            >
              <i className="pi pi-trash" aria-hidden="true" />
            </button>
          </li>
        ))}
      </ul>
      <button
        ref={more}
        type="button"
        className="tr-button"
        disabled={full}
        onClick={() => onChange([...items, {}])}
      >
        <i className="pi pi-plus" aria-hidden="true" />
        {t('Add')}
      </button>
    </>
  );
}
