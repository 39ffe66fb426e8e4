import type { CellValue, ProjectEntity } from '@trellis/sdk/shared';
import { CellEditor, Contribution, editorOfColumn, useT } from '@trellis/sdk/web';
import { useEffect, useEffectEvent, useId, useMemo } from 'react';
import type { PageField } from './form-fields.ts';

export interface FormFieldProps {
  /** Undefined if a stranger fills in the form. */
  readonly project?: ProjectEntity | undefined;
  readonly field: PageField;
  readonly value: CellValue;
  readonly problem: string | undefined;
  /** A text of the draft that cannot be parsed. */
  readonly unread?: string | undefined;
  onChange(this: void, value: CellValue): void;
  onUnread?(this: void, text: string | undefined): void;
  /** Called with the problem of a text that cannot be parsed. */
  onProblem(this: void, problem: string | undefined): void;
}

/** A question of the form: its label, its help text, and its column type's editor. */
export function FormField(props: FormFieldProps) {
  const { project, field, value, problem, onChange, onProblem } = props;
  const { column, type, context, label, options, isNeeded } = field;
  const t = useT();
  const id = useId();
  // People who answer know the question, not the column's title.
  const asked = useMemo(() => ({ ...column, title: label }), [column, label]);
  // A text that cannot be parsed is dropped with its field.
  const leave = useEffectEvent(() => onProblem(undefined));
  useEffect(() => () => leave(), []);
  const isCellEditor = type.toggle !== undefined || type.cellEdits === true;
  const fieldId = `${id}-field`;
  const editor = type.FormEditor ?? editorOfColumn(column, type);
  const isText = type.toggle === undefined && type.Answer === undefined && typeof editor === 'string';
  const words = (
    <>
      {label}
      {(options.required || isNeeded) && (
        <>
          <span className="form-required" aria-hidden="true">
            {' *'}
          </span>
          <span className="tr-unseen"> {t('Required')}</span>
        </>
      )}
    </>
  );
  return (
    <div className="tr-field form-field" data-column={field.columnId}>
      {isText ? (
        <label className="form-label" id={id} htmlFor={fieldId}>
          {words}
        </label>
      ) : (
        <span className="form-label" id={id}>
          {words}
        </span>
      )}
      {options.help !== '' && <small className="tr-note form-help">{options.help}</small>}
      <Contribution registry="columnTypes" id={column.uidt} what={label} compact>
        {isCellEditor && type.Cell && (
          <div className="form-cell" role="group" aria-labelledby={id}>
            <type.Cell
              value={value}
              row={undefined}
              column={asked}
              options={context.options}
              selected={false}
              onChange={onChange}
            />
            {problem !== undefined && type.toggle !== undefined && (
              <small className="tr-field-problem">{problem}</small>
            )}
          </div>
        )}
        {type.Answer && (
          <div className="form-answer">
            <type.Answer {...{ project, column, value, onChange }} labelledBy={id} />
            {problem !== undefined && <small className="tr-field-problem">{problem}</small>}
          </div>
        )}
        {type.toggle === undefined && type.Answer === undefined && (
          <CellEditor
            className="form-input"
            column={asked}
            type={type}
            value={value}
            labelledBy={id}
            fieldId={fieldId}
            isOwn={project === undefined}
            {...(problem !== undefined && { problem })}
            unread={props.unread}
            onUnread={props.onUnread}
            onCommit={onChange}
            onProblem={onProblem}
          />
        )}
      </Contribution>
    </div>
  );
}
