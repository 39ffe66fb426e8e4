import type { CellValue, ColumnContext, ColumnEntity, Row } from '@trellis/sdk/shared';
import { useHost, useRegistryItem, type WebColumnType } from '@trellis/sdk/web';
import { useState } from 'react';

interface FieldEditorProps {
  readonly column: ColumnEntity;
  readonly row: Row;
  readonly value: CellValue;
  readonly isReadOnly: boolean;
  readonly onChange: (value: CellValue) => void;
}

/** Why a field cannot be typed into, or undefined. */
function readOnlyReason(
  { column, isReadOnly }: FieldEditorProps,
  type: WebColumnType | undefined,
): string | undefined {
  if (type === undefined) return 'The column type is switched off: its values are shown, not changed.';
  if (isReadOnly) return 'This table can only be read.';
  const isFilledIn =
    column.ai || column.au || (column.system && column.uidt !== 'ForeignKey') || type.editable === false;
  return isFilledIn ? 'Filled in by the database.' : undefined;
}

/** One field of the row: its label, and its value by its column type. */
export function FieldEditor(props: FieldEditorProps) {
  const { column, value } = props;
  const { t, Boundary, registry } = useHost();
  const type = useRegistryItem('columnTypes', column.uidt);
  const reason = readOnlyReason(props, type);
  return (
    <div className="rows-field">
      <span className="rows-label" id={`field-${column.id}`}>
        <i className={`pi pi-${type?.icon ?? 'question-circle'}`} aria-hidden="true" />
        {column.title}
        {column.rqd && !column.ai && <span className="rows-required">*</span>}
      </span>
      <Boundary
        owner={registry('columnTypes').ownerOf(column.uidt) ?? column.uidt}
        what={column.title}
        compact
      >
        {reason === undefined && type !== undefined ? (
          <Editor {...props} type={type} />
        ) : (
          <div className="rows-value" title={reason === undefined ? undefined : t(reason)}>
            {type === undefined ? rawText(value) : type.format(value, contextOf(column, type)) || '—'}
          </div>
        )}
      </Boundary>
    </div>
  );
}

function rawText(value: CellValue): string {
  if (value === null) return '—';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function contextOf(column: ColumnEntity, type: WebColumnType): ColumnContext {
  return {
    id: column.id,
    title: column.title,
    required: column.rqd,
    storage: type.storage,
    options: { ...type.options?.defaults, ...column.meta },
  };
}

function Editor(props: FieldEditorProps & { readonly type: WebColumnType }) {
  const { column, row, value, type, onChange } = props;
  const context = contextOf(column, type);
  const options = context.options;
  if (type.toggle !== undefined && type.Cell) {
    return (
      <div className="rows-input rows-input--cell">
        <type.Cell
          value={value}
          row={row}
          column={column}
          options={options}
          selected={false}
          onChange={onChange}
        />
      </div>
    );
  }
  if (typeof type.Editor !== 'string') {
    return (
      <div className="rows-input">
        <type.Editor
          key={type.format(value, context)}
          value={value}
          column={column}
          options={options}
          autoFocus={false}
          onCommit={(next) => {
            if (next !== value) onChange(next);
          }}
          onCancel={() => undefined}
        />
      </div>
    );
  }
  return (
    <>
      {/* Cells that are their own editor, such as stars, stand above the text field. */}
      {type.options !== undefined && type.Cell && (
        <div className="rows-input--cell">
          <type.Cell
            value={value}
            row={row}
            column={column}
            options={options}
            selected={false}
            onChange={onChange}
          />
        </div>
      )}
      <TextEditor {...props} context={context} isLong={type.Editor === 'longText'} />
    </>
  );
}

function TextEditor(
  props: FieldEditorProps & {
    readonly type: WebColumnType;
    readonly context: ColumnContext;
    readonly isLong: boolean;
  },
) {
  const { column, value, type, context, isLong, onChange } = props;
  const [text, setText] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const shown = text ?? type.format(value, context);

  function commit() {
    if (text === undefined) return;
    const parsed = type.parse(text === '' ? null : text, context);
    if (!parsed.ok) return setProblem(`${column.title} ${parsed.message}`);
    setText(undefined);
    if (parsed.value !== value) onChange(parsed.value);
  }

  const shared = {
    className: 'rows-input',
    value: shown,
    'aria-labelledby': `field-${column.id}`,
    'aria-invalid': problem !== undefined,
    onChange: (event: { readonly target: { readonly value: string } }) => {
      setText(event.target.value);
      setProblem(undefined);
    },
    onBlur: commit,
  };
  return (
    <>
      {isLong ? (
        <textarea {...shared} rows={4} />
      ) : (
        <input {...shared} onKeyDown={(event) => event.key === 'Enter' && commit()} />
      )}
      {problem !== undefined && <small className="rows-problem">{problem}</small>}
    </>
  );
}
