import type {
  AutomationInput,
  AutomationSettings,
  FilterEntity,
  ProjectEntity,
  RequestMethod,
  RequestPair,
  TableEntity,
} from '@trellis/sdk/shared';
import { Contribution, useHost, useRegistryItem, useTable } from '@trellis/sdk/web';
import { ErrorNotice, PairFields, requestBodyProblemText, Select, TimeFields } from '@trellis/sdk/web/ui';
import { FilterEditor, toFilterBody, toFilterNode } from '@trellis/sdk/web/views';
import { timePlanIn, type KindsEntity, type TemplateNames } from '../shared/index.ts';
import { useCallback, useLayoutEffect, useRef } from 'react';
import { ActField } from './ActField.tsx';
import { CellFields } from './CellFields.tsx';
import { ChannelField } from './ChannelField.tsx';
import { firstTime } from './draft.ts';
import { TemplateField, useNaming } from './TemplateField.tsx';
import { useFiltered } from './use-filtered.ts';
import { ViewField } from './ViewField.tsx';

interface InputFieldProps {
  readonly project: ProjectEntity;
  readonly input: AutomationInput;
  /** All that is asked beside it. */
  readonly inputs: readonly AutomationInput[];
  readonly settings: AutomationSettings;
  readonly tables: readonly TableEntity[];
  readonly kinds: Pick<KindsEntity, 'channels' | 'channels_off'>;
  /** The title of the column whose cell the server refused, with why. */
  readonly cellProblem?: { readonly column: string; readonly message: string } | undefined;
  readonly names: TemplateNames;
  readonly onChange: (settings: AutomationSettings) => void;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** What decides whether the body of a request is to be JSON. */
function requestOf({ method, headers }: AutomationSettings, body: unknown) {
  return {
    method: (method ?? 'POST') as RequestMethod,
    headers: (headers ?? []) as readonly RequestPair[],
    body: textOf(body),
  };
}

/** One setting of a trigger or a step, drawn by its kind. */
export function InputField(props: InputFieldProps) {
  const { input, inputs, settings, tables, kinds, names, onChange } = props;
  const { t } = useHost();
  const naming = useNaming(names);
  const value = settings[input.id];
  const label = t(input.label);
  const set = (next: unknown) => onChange({ ...settings, [input.id]: next });
  switch (input.kind) {
    case 'text':
    case 'lines':
    case 'body':
      return (
        <TemplateField
          label={label}
          value={textOf(value)}
          names={names}
          isLong={input.kind !== 'text'}
          placeholder={input.placeholder}
          help={input.help && t(input.help)}
          problem={input.kind === 'body' ? requestBodyProblemText(requestOf(settings, value), t) : undefined}
          onChange={set}
        />
      );
    case 'choice':
      return (
        <label className="tr-field">
          <span>{label}</span>
          <Select<string>
            label={label}
            value={textOf(value)}
            options={[
              ...(textOf(value) === '' ? [{ value: '', label: t('Choose …') }] : []),
              ...(input.options ?? []).map((option) => ({ ...option, label: t(option.label) })),
            ]}
            onChange={set}
          />
        </label>
      );
    case 'table':
      return (
        <label className="tr-field">
          <span>{label}</span>
          <Select<string>
            label={label}
            value={textOf(value)}
            options={[
              ...(textOf(value) === '' ? [{ value: '', label: t('Choose a table …') }] : []),
              ...tables.map(({ id, title }) => ({ value: id, label: title })),
            ]}
            // What was set for the columns of another table means nothing here.
            onChange={(id) => onChange({ ...withoutColumns(settings, inputs), [input.id]: id })}
          />
        </label>
      );
    case 'pairs':
      return (
        <PairFields
          legend={label}
          add={t('Add one')}
          value={(value ?? []) as readonly RequestPair[]}
          naming={naming}
          onChange={set}
        />
      );
    case 'channel':
      return (
        <ChannelField
          label={label}
          value={value}
          channels={kinds.channels}
          off={kinds.channels_off}
          onChange={set}
        />
      );
    case 'time':
      return <TimeFields label={label} value={timePlanIn(value) ?? firstTime()} onChange={set} />;
    case 'part':
      return <Part key={input.part} {...props} label={label} value={textOf(value)} set={set} />;
    case 'act':
      return (
        <ActField
          act={input.act ?? ''}
          label={label}
          tableId={textOf(settings[input.table ?? ''])}
          value={textOf(value)}
          onChange={set}
        />
      );
    default:
      return <OfTable {...props} label={label} tableId={textOf(settings[input.table ?? ''])} />;
  }
}

/** A setting that another plugin draws. */
function Part(
  props: InputFieldProps & {
    readonly label: string;
    readonly value: string;
    readonly set: (value: string) => void;
  },
) {
  const { project, input, label, value, set } = props;
  const part = useRegistryItem('automationInputParts', input.part);
  // What a part asks a server for comes while the draft goes on, and not into what took its place.
  const latest = useRef<typeof set>(undefined);
  useLayoutEffect(() => {
    latest.current = set;
    return () => {
      latest.current = undefined;
    };
  });
  const change = useCallback((next: string) => latest.current?.(next), []);
  if (part === undefined) return null;
  const { Component } = part;
  return (
    <Contribution registry="automationInputParts" id={part.id} what={label}>
      <Component project={project} label={label} value={value} onChange={change} />
    </Contribution>
  );
}

/** A setting about the columns of a table. */
function OfTable(props: InputFieldProps & { readonly label: string; readonly tableId: string }) {
  const { input, settings, names, label, tableId, onChange } = props;
  const { t } = useHost();
  const { data, error, refetch } = useTable(tableId);
  const value = settings[input.id];
  const columns = data?.columns ?? [];
  const filtered = useFiltered(columns);
  const set = (next: unknown) => onChange({ ...settings, [input.id]: next });
  if (error !== undefined && data === undefined)
    return <ErrorNotice message={error.message} onRetry={refetch} />;
  if (data === undefined) return null;
  if (input.kind === 'cells')
    return (
      <CellFields
        legend={label}
        columns={columns}
        value={(value ?? {}) as Readonly<Record<string, string>>}
        names={names}
        hasLinks={input.links === true}
        problem={props.cellProblem}
        onChange={set}
      />
    );
  if (input.kind === 'conditions')
    return (
      <fieldset className="automations-cells">
        <legend>{label}</legend>
        <FilterEditor
          columns={filtered}
          value={((value ?? []) as readonly FilterEntity[]).map(toFilterNode)}
          emptyText={t('Without a condition every row counts.')}
          onChange={(nodes) => set(nodes.map(toFilterBody))}
        />
        {input.help !== undefined && <small className="tr-note">{t(input.help)}</small>}
      </fieldset>
    );
  if (input.kind === 'view')
    return (
      <ViewField input={input} label={label} views={data.views ?? []} value={textOf(value)} onChange={set} />
    );
  const chosen = (value ?? []) as readonly string[];
  return (
    <fieldset className="automations-columns">
      <legend>{label}</legend>
      {columns
        .filter(({ system, virtual, uidt }) =>
          input.only === undefined ? system !== true && virtual !== true : uidt === input.only,
        )
        .map(({ id, title }) => (
          <label key={id}>
            <input
              type="checkbox"
              checked={chosen.includes(id)}
              onChange={(event) =>
                set(event.target.checked ? [...chosen, id] : chosen.filter((other) => other !== id))
              }
            />{' '}
            {title}
          </label>
        ))}
      {input.help !== undefined && <small className="tr-note">{t(input.help)}</small>}
    </fieldset>
  );
}

/** Settings without those about the columns of a table. */
function withoutColumns(
  settings: AutomationSettings,
  inputs: readonly AutomationInput[],
): AutomationSettings {
  const ofTable = new Set(inputs.filter(({ table }) => table !== undefined).map(({ id }) => id));
  return Object.fromEntries(Object.entries(settings).filter(([id]) => !ofTable.has(id)));
}
