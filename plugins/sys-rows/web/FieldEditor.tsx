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
  /** Undefined for a row that is yet to be added. */
  readonly rowKey: RowKey | undefined;
  readonly isNeeded: boolean;
  readonly value: CellValue;
  readonly problem: string | undefined;
  /** Why nothing of the row can be changed. */
  readonly readOnlyReason: string | undefined;
  readonly onChange: (value: CellValue) => void;
  /** What others stored since the value was changed here, as it is shown; undefined where they stored nothing. */
  readonly replaces: string | undefined;
  /** Hears of a text that cannot be read. */
  readonly onProblem: (problem: string | undefined) => void;
  /** Hears whether something is written that is no edit yet: it becomes one when the field is left. */
  readonly onTouch: (isHeld: boolean) => void;
  /** Hears of a text that was typed when there is no field for it any more. */
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

/** A cell that is its own editor stands alone where it can be ticked, and above the text where it can also be typed. */
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
