import { useEffect } from 'react';
import { useHost, type HostActions, type ToastMessage } from '../host.tsx';
import type { EditStep } from './edit-step.ts';
import type { RowsClient } from './rows-client.ts';
import type { UndoDirection } from './undo-stack.ts';

/**
 * Makes rows the subject of the page's commands, such as undo, as long as the component is mounted; none if undefined. `useRows`
 * does this for those of a view. @public
 */
export function useRowsInSight(rows: RowsClient | undefined): void {
  const { shell } = useHost();
  useEffect(() => {
    if (rows === undefined) return undefined;
    shell.setContext({ rows });
    return () => {
      if (shell.context.rows === rows) shell.setContext({ rows: undefined });
    };
  }, [shell, rows]);
}

/** Undoes the person's last step, or redoes it, and shows a message if that was impossible. @public */
export function takeBack(
  rows: RowsClient,
  direction: UndoDirection,
  host: Pick<HostActions, 't' | 'toast'>,
): Promise<void> {
  const { t } = host;
  const none = direction === 'undo' ? t('Nothing to undo.') : t('Nothing to redo.');
  return telling(() => takingBack(rows, direction, host), none, host);
}

/** Shows a message if additions for the step, such as options of a list, stay, and if rows of it stay deleted. */
async function takingBack(
  rows: RowsClient,
  direction: UndoDirection,
  host: Pick<HostActions, 't' | 'toast'>,
): Promise<boolean> {
  const { t, toast } = host;
  const step = rows.nextStep(direction);
  const isTaken = await rows.undo(direction);
  if (isTaken && step !== undefined) tellPurged(rows, step, host);
  if (isTaken && direction === 'undo' && step !== undefined && rows.leavesBehind(step))
    toast({
      severity: 'info',
      summary: t('Options of a list that were made for it stay, since the page was loaded again.'),
      life: 8000,
    });
  return isTaken;
}

function tellPurged(rows: RowsClient, step: EditStep, { t, toast }: Pick<HostActions, 't' | 'toast'>): void {
  const count = rows.purgedOf(step);
  if (count === 0) return;
  toast({
    severity: 'info',
    summary: t('{{count}} rows stay away: what they held was deleted for good.', {
      count,
      one: 'One row stays away: what it held was deleted for good.',
    }),
    life: 8000,
  });
}

/** Offers in a toast to undo this step only: once it is no longer the last one, the offer says so. @public */
export function undoOffer(
  rows: RowsClient,
  step: EditStep,
  host: Pick<HostActions, 't' | 'toast'>,
): NonNullable<ToastMessage['action']> {
  const { t } = host;
  const none = t('This is not your last change any more. Undo takes your changes back one by one.');
  async function takeThisBack(): Promise<boolean> {
    const isTaken = await rows.undo('undo', step);
    if (isTaken) tellPurged(rows, step, host);
    return isTaken;
  }
  return {
    label: t('Undo'),
    run: () => void telling(takeThisBack, none, host),
  };
}

/** Milliseconds after which a message confirms that something is done. */
const patience = 1000;

async function telling(
  undo: () => Promise<boolean>,
  none: string,
  { t, toast }: Pick<HostActions, 't' | 'toast'>,
): Promise<void> {
  const late = setTimeout(() => {
    toast({
      severity: 'info',
      summary: t('The server has not answered yet. It is done as soon as it does.'),
    });
  }, patience);
  try {
    if (!(await undo())) toast({ severity: 'info', summary: none });
  } catch (error) {
    toast({ severity: 'error', summary: error instanceof Error ? error.message : String(error) });
  } finally {
    clearTimeout(late);
  }
}
