import { useRef, type ReactNode } from 'react';
import type { RequestPair } from '../../shared/index.ts';
import { useT } from '../host.tsx';
import { TemplateInput, type TemplateNaming } from './TemplateField.tsx';
import { useKeptFocus } from './use-kept-focus.ts';

/** The props of names with values, such as the headers of a request. @public */
export interface PairFieldsProps {
  /** Their kind: headers or parameters. */
  readonly legend: string;
  /** The name of the button that adds one. */
  readonly add: string;
  readonly value: readonly RequestPair[];
  /** The placeholders for the values, if they are templates. */
  readonly naming?: TemplateNaming;
  onChange(this: void, value: readonly RequestPair[]): void;
}

/** Names with values, each of which can be switched off temporarily. @public */
export function PairFields({ legend, add, value, naming, onChange }: PairFieldsProps): ReactNode {
  const t = useT();
  const more = useRef<HTMLButtonElement>(null);
  const { list, pressed } = useKeptFocus(() => more.current);
  const change = (at: number, patch: Partial<RequestPair>) =>
    onChange(value.map((pair, index) => (index === at ? { ...pair, ...patch } : pair)));
  return (
    <fieldset className="tr-pairs">
      <legend>{legend}</legend>
      <ul ref={list} className="tr-parts">
        {value.map((pair, index) => (
          <li key={index} className="tr-pair">
            <input
              type="checkbox"
              aria-label={t('Send this one')}
              checked={pair.enabled}
              onChange={(event) => change(index, { enabled: event.target.checked })}
            />
            <input
              className="p-inputtext p-component"
              aria-label={t('Name')}
              placeholder={t('Name')}
              value={pair.name}
              onChange={(event) => change(index, { name: event.target.value })}
            />
            {naming === undefined ? (
              <input
                className="p-inputtext p-component"
                aria-label={t('Value')}
                placeholder={t('Value')}
                value={pair.value}
                onChange={(event) => change(index, { value: event.target.value })}
              />
            ) : (
              <TemplateInput
                label={t('Value')}
                placeholder={t('Value')}
                value={pair.value}
                naming={naming}
                onChange={(text) => change(index, { value: text })}
              />
            )}
            <button
              type="button"
              className="tr-icon-button"
              data-entry-action
              aria-label={t('Remove')}
              title={t('Remove')}
              onClick={() => {
                pressed(index);
                onChange(value.filter((_, other) => other !== index));
              }}
            >
              <i className="pi pi-times" aria-hidden="true" />
            </button>
          </li>
        ))}
      </ul>
      <button
        ref={more}
        type="button"
        className="tr-action"
        onClick={() => onChange([...value, { name: '', value: '', enabled: true }])}
      >
        <i className="pi pi-plus" aria-hidden="true" /> {add}
      </button>
    </fieldset>
  );
}
