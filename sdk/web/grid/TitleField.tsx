import { type ReactNode, useRef, useState } from 'react';
import type { Translate } from '../context.ts';
import type { GridActions } from './grid-actions.ts';
import type { GridColumn } from './grid-column.ts';

/** Edits the title of a column: Enter and leaving the field save it, Escape does not. A refused title stays in the field. */
export function TitleField(props: {
  readonly column: GridColumn;
  readonly actions: GridActions;
  readonly t: Translate;
}): ReactNode {
  const { column, actions, t } = props;
  const { entity } = column;
  const [refused, setRefused] = useState<string>();
  /** The title being sent: leaving the field meanwhile does not send it twice. */
  const sent = useRef<string>(undefined);

  /** Resolves to whether the field is closed; undefined keeps the title. */
  async function end(title: string | undefined): Promise<boolean> {
    if (title !== undefined && (title === sent.current || title === refused)) return false;
    sent.current = title;
    const isClosed = await actions.endRename(entity, title);
    sent.current = undefined;
    if (!isClosed) setRefused(title);
    return isClosed;
  }

  return (
    <input
      className="tgrid-title-field"
      defaultValue={entity.title}
      aria-label={t('Title of column {{title}}', { title: entity.title })}
      aria-invalid={refused === undefined ? undefined : true}
      maxLength={255}
      autoFocus
      onFocus={(event) => event.currentTarget.select()}
      onBlur={(event) => void end(event.currentTarget.value)}
      onChange={() => setRefused(undefined)}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return;
        event.preventDefault();
        event.stopPropagation();
        void end(event.key === 'Enter' ? event.currentTarget.value : undefined).then((isClosed) => {
          if (isClosed) actions.focusGrid();
        });
      }}
    />
  );
}
