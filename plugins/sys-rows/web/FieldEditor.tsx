import type { CellValue, ColumnEntity, ProjectEntity, Row, RowKey, TableEntity } from '@trellis/sdk/shared';
import {
  CellEditor,
  columnContext,
  useRegistryItem,
  useT,
  whyReadOnly,
  type WebColumnType,
} from '@trellis/sdk/web';
import { labelOf, RowField, StoredValue } from './RowField.tsx';

interface FieldEditorProps {
  readonly project: ProjectEntity;
  readonly table: TableEntity;
  readonly column: ColumnEntity;
  readonly row: Row;
  /** Undefined for a new row. */
  readonly rowKey: RowKey | undefined;
  readonly isNeeded: boolean;
  readonly value: CellValue;
  readonly problem: string | undefined;
  /** Why the row cannot be changed. */
  readonly readOnlyReason: string | undefined;
  readonly onChange: (value: CellValue) => void;
  /** The value that others stored since this one was changed here, as text; undefined if there is none. */
  readonly replaces: string | undefined;
  /** Called with the problem of a text that cannot be parsed. */
  readonly onProblem: (problem: string | undefined) => void;
  /** Called with whether the field contains a text that becomes an edit only when the field is left. */
  readonly onTouch: (isHeld: boolean) => void;
  /** Called with a typed text whose field has disappeared. */
  readonly onLost: (text: string) => void;
}

/** One field of the row: its label, and its value by its column type. */
export function FieldEditor(props: FieldEditorProps) {
  const { column } = props;
  const t = useT();
  const type = useRegistryItem('columnTypes', column.uidt);
  const reason = whyReadOnly(column, type, t) ?? props.readOnlyReason;
  return (
    <RowField column={column} isNeeded={props.isNeeded}>
      {type?.Field !== undefined && props.rowKey !== undefined ? (
        <type.Field {...props} rowKey={props.rowKey} />
      ) : type?.Answer !== undefined && props.rowKey === undefined && props.readOnlyReason === undefined ? (
        <>
          <type.Answer
            project={props.project}
            column={column}
            value={props.value}
            labelledBy={labelOf(column)}
            onChange={props.onChange}
          />
          {props.problem !== undefined && <small className="tr-field-problem">{props.problem}</small>}
        </>
      ) : reason === undefined && type !== undefined ? (
        <Editor {...props} type={type} />
      ) : (
        <StoredValue {...props} reason={reason} />
      )}
    </RowField>
  );
}

/** A cell with its own editor is shown alone if it can be ticked, and above the text field if it can also be typed. */
function Editor(props: FieldEditorProps & { readonly type: WebColumnType }) {
  const { column, row, value, type, onChange } = props;
  const t = useT();
  const writes = type.toggle !== undefined || type.cellEdits === true;
  return (
    <>
      {writes && type.Cell && (
        <div className="rows-cell" role="group" aria-labelledby={labelOf(column)}>
          <type.Cell
            value={value}
            row={row}
            column={column}
            options={columnContext(column, type).options}
            selected={false}
            onChange={onChange}
          />
        </div>
      )}
      {type.toggle === undefined && (
        <CellEditor
          className="rows-input"
          project={props.project}
          table={props.table}
          column={column}
          row={row}
          type={type}
          value={value}
          labelledBy={labelOf(column)}
          problem={props.problem}
          onCommit={onChange}
          onProblem={props.onProblem}
          onHold={props.onTouch}
          onLost={props.onLost}
        />
      )}
      {props.replaces !== undefined && (
        <small className="tr-note" role="status">
          {props.replaces === ''
            ? t('Somebody else emptied this meanwhile. Saving fills it again.')
            : type.isCovered === true
              ? t('Somebody else changed this meanwhile. Saving replaces it.')
              : t('Somebody else changed this to “{{text}}” meanwhile. Saving replaces it.', {
                  text: props.replaces,
                })}
        </small>
      )}
    </>
  );
}
