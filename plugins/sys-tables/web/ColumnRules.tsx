import type { CellValue, ColumnEntity } from '@trellis/sdk/shared';
import {
  CellEditor,
  columnContext,
  Contribution,
  showCell,
  useT,
  type WebColumnType,
} from '@trellis/sdk/web';
import { Switch } from '@trellis/sdk/web/ui';
import { useId, useMemo } from 'react';

/** What a column requires of its cells, and their default value. */
export interface Rules {
  readonly isRequired: boolean;
  readonly isUnique: boolean;
  /** Whether each change of a row sets the cell to the current time. */
  readonly isRenewed: boolean;
  /** In the API's form; empty for none. */
  readonly defaultValue: string;
}

export function rulesOf(column: ColumnEntity | undefined): Rules {
  return {
    isRequired: column?.rqd ?? false,
    isUnique: column?.unique ?? false,
    isRenewed: column?.au ?? false,
    defaultValue: column?.cdf ?? '',
  };
}

interface ColumnRulesProps {
  readonly type: WebColumnType;
  readonly options: Readonly<Record<string, unknown>>;
  readonly value: Rules;
  readonly onChange: (value: Rules) => void;
  /** Called with the problem of a default value that cannot be parsed. */
  readonly onProblem: (problem: string | undefined) => void;
}

/** Kinds for which databases store no default values. */
const withoutDefault: ReadonlySet<string> = new Set(['json', 'binary', 'virtual']);
const now = 'CURRENT_TIMESTAMP';

/** Whether cells must be filled and unique, and the default value. */
export function ColumnRules(props: ColumnRulesProps) {
  const { type, value, onChange } = props;
  const t = useT();
  const isNow = value.defaultValue === now;
  return (
    <>
      <Switch checked={value.isRequired} onChange={(isRequired) => onChange({ ...value, isRequired })}>
        {t('Required')}
      </Switch>
      {type.storage !== 'json' && (
        <Switch checked={value.isUnique} onChange={(isUnique) => onChange({ ...value, isUnique })}>
          {t('No value twice')}
        </Switch>
      )}
      {type.storage === 'datetime' && (
        <Switch checked={isNow} onChange={(on) => onChange({ ...value, defaultValue: on ? now : '' })}>
          {t('New rows get the moment at which they are added')}
        </Switch>
      )}
      {type.storage === 'datetime' && (
        <Switch
          checked={value.isRenewed}
          onChange={(isRenewed) =>
            onChange({ ...value, isRenewed, ...(isRenewed && !isNow && { defaultValue: now }) })
          }
        >
          {t('Each change of a row sets it to that moment')}
        </Switch>
      )}
      {!withoutDefault.has(type.storage) && type.takesDefault !== false && !isNow && (
        <DefaultValue {...props} />
      )}
    </>
  );
}

/** The default value, entered as in a cell of the column. */
function DefaultValue({ type, options, value, onChange, onProblem }: ColumnRulesProps) {
  const t = useT();
  const label = useId();
  // A cell of the future column: optional, with the panel's options.
  const column = useMemo(
    () =>
      ({
        id: `default-${type.id}`,
        title: t('Default value'),
        uidt: type.id,
        storage: type.storage,
        rqd: false,
        meta: options,
      }) as ColumnEntity,
    [type, options, t],
  );
  const cell = cellOf(value.defaultValue, type, options);
  return (
    <div className="tr-field">
      <span id={label}>{t('Default value')}</span>
      <CellEditor
        key={type.id}
        column={column}
        type={type}
        value={cell}
        labelledBy={label}
        onCommit={(next) => onChange({ ...value, defaultValue: textOf(next) })}
        onProblem={onProblem}
      />
      {cell !== null && <Sample column={column} type={type} value={cell} />}
    </div>
  );
}

/** A cell with the default value, as a view shows it. */
function Sample(props: {
  readonly column: ColumnEntity;
  readonly type: WebColumnType;
  readonly value: CellValue;
}) {
  const { column, type, value } = props;
  const t = useT();
  const label = useId();
  return (
    <div className="tables-sample" role="group" aria-labelledby={label}>
      <small id={label} className="tr-note">
        {t('In a new row')}
      </small>
      <Contribution registry="columnTypes" id={type.id} compact>
        {type.Cell === undefined ? (
          <span>{showCell(value, column, type)}</span>
        ) : (
          <type.Cell
            value={value}
            row={undefined}
            column={column}
            options={columnContext(column, type).options}
            selected={false}
          />
        )}
      </Contribution>
    </div>
  );
}

/** A default value's text as a cell value. Stored moments are in UTC, while people type in the column's zone. */
function cellOf(text: string, type: WebColumnType, options: Readonly<Record<string, unknown>>): CellValue {
  if (text === '') return null;
  if (type.storage === 'datetime') return text;
  const context = { id: '', title: '', required: false, storage: type.storage };
  const read = type.parse(text, { ...context, options: { ...type.options?.defaults, ...options } });
  return read.ok ? read.value : text;
}

function textOf(value: CellValue): string {
  if (value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
