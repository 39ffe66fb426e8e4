import type { TableEntity } from '@trellis/sdk/shared';
import { messageOfError, useHost, useRegistry, type TableDialogs } from '@trellis/sdk/web';
import { Dialog, Notice, Switch, WorkButton } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import { addedColumn } from './column-requests.ts';
import { plannedColumns, readsLikeNames, type PlannedColumn } from './planned-columns.ts';
import { columnPath, tablePath, trashPath } from './table-requests.ts';

type Options = Parameters<TableDialogs['addColumnsFor']>[0];
type Added = Awaited<ReturnType<TableDialogs['addColumnsFor']>>;

interface AddColumnsDialogProps extends Options {
  readonly onAnswer: (added: Added) => void;
}

/** Asks whether to add columns for pasted texts that have none, and shows these columns. */
export default function AddColumnsDialog({ project, table, view, block, onAnswer }: AddColumnsDialogProps) {
  const host = useHost();
  const { t } = host;
  const types = useRegistry('columnTypes');
  const [isNamed, setNamed] = useState(() => block.mayBeNamed && readsLikeNames(block.rows, types));
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const taken = (table.columns ?? []).map(({ title }) => title);
  const planned = plannedColumns(block, { isNamed, types, taken, unnamed: t('Column') });
  const count = planned.length;

  const refresh = (): void => host.invalidate([`table:${table.id}`, ...(view ? [`view:${view.id}`] : [])]);
  const drop = async (ids: readonly string[]): Promise<void> => {
    for (const id of ids) await host.api.request({ method: 'DELETE', path: columnPath(id) });
    refresh();
  };
  const bringBack = async (ids: readonly string[]): Promise<void> => {
    for (const id of ids) {
      const path = `${trashPath(project.id)}/columns/${encodeURIComponent(id)}/restore`;
      await host.api.request({ method: 'POST', path });
    }
    refresh();
  };

  async function add(): Promise<void> {
    setBusy(true);
    setProblem(undefined);
    const columnIds: string[] = [];
    try {
      await addAll(host.api, table, planned, (id) => columnIds.push(id));
      refresh();
      const made = {
        undo: () => drop(columnIds.toReversed()),
        redo: () => bringBack(columnIds),
      };
      onAnswer({ columnIds, isNamed, made });
    } catch (error) {
      setProblem(messageOfError(error, t));
      setBusy(false);
      // Adds all of them or none: the next attempt would add the first ones again.
      await drop(columnIds).catch(() => refresh());
    }
  }

  return (
    <Dialog
      title={t('Add {{count}} columns?', { count, one: 'Add a column?' })}
      isBusy={isBusy}
      onClose={() => onAnswer('cancelled')}
    >
      <p>
        {t('What you paste has {{count}} columns more than the table.', {
          count,
          one: 'What you paste has one column more than the table.',
        })}
      </p>
      <ul className="tables-planned">
        {planned.map(({ title, type }) => (
          <li key={title}>
            <strong>{title}</strong> <span>{type && t(type.label)}</span>
          </li>
        ))}
      </ul>
      {block.mayBeNamed && block.rows.length > 1 && (
        <Switch checked={isNamed} onChange={setNamed}>
          {t('The first row holds the names')}
        </Switch>
      )}
      {problem !== undefined && <Notice severity="error">{problem}</Notice>}
      <div className="tr-form-actions">
        <span className="tr-gap" />
        <WorkButton isBusy={isBusy} onClick={() => onAnswer(undefined)}>
          {t('Leave them out')}
        </WorkButton>
        <WorkButton
          className="tr-button tr-button--primary"
          autoFocus
          isBusy={isBusy}
          onClick={() => void add()}
        >
          {isBusy ? t('Adding …') : t('Add {{count}} columns', { count, one: 'Add a column' })}
        </WorkButton>
      </div>
    </Dialog>
  );
}

/** Adds the columns one after another, because each changes the same table. */
async function addAll(
  api: ReturnType<typeof useHost>['api'],
  table: TableEntity,
  planned: readonly PlannedColumn[],
  onAdded: (id: string) => void,
): Promise<void> {
  let before = table;
  for (const { title, type, options } of planned) {
    const after = await api.request<TableEntity>({
      method: 'POST',
      path: `${tablePath(table.id)}/columns`,
      body: { title, uidt: type?.id ?? 'SingleLineText', rqd: false, ...(options && { meta: options }) },
    });
    const added = addedColumn(before, after);
    if (added !== undefined) onAdded(added.id);
    before = after;
  }
}
