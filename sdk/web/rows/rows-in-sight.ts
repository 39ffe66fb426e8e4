import { useEffect } from 'react';
import { useHost, type HostActions } from '../host.tsx';
import type { RowsClient } from './rows-client.ts';
import type { UndoDirection } from './undo-stack.ts';

/** Makes rows those that the commands of the page are about, such as undo, as long as the component is drawn. @public */
export function useRowsInSight(rows: RowsClient): void {
  const { shell } = useHost();
  useEffect(() => {
    shell.setContext({ rows });
    return () => {
      if (shell.context.rows === rows) shell.setContext({ rows: undefined });
    };
  }, [shell, rows]);
}

/** Takes the last step of the person back, or does it again, and tells where that was not possible. @public */
export async function takeBack(
  rows: RowsClient,
  direction: UndoDirection,
  { t, toast }: Pick<HostActions, 't' | 'toast'>,
): Promise<void> {
  try {
    if (await rows.undo(direction)) return;
    const summary = direction === 'undo' ? t('Nothing to undo.') : t('Nothing to redo.');
    toast({ severity: 'info', summary });
  } catch (error) {
    toast({ severity: 'error', summary: error instanceof Error ? error.message : String(error) });
  }
}
