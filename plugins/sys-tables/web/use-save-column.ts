import type { ColumnEntity, TableEntity, ViewEntity } from '@trellis/sdk/shared';
import { ApiError, messageOfError, useHost, useRegistry, useShell } from '@trellis/sdk/web';
import { useState } from 'react';
import { keptTitle, lossOf } from './ChangeNotices.tsx';
import { addedColumn, askToDelete, placeBefore, tellWhereHidden } from './column-requests.ts';
import { columnPath, tablePath } from './table-requests.ts';
import type { TriedChange } from './use-column-trial.ts';

interface SaveColumnOptions {
  readonly table: TableEntity;
  readonly column: ColumnEntity | undefined;
  readonly view: ViewEntity | undefined;
  /** The panel's result for the change that is saved. */
  readonly tried: TriedChange | undefined;
  readonly beforeColumnId: string | undefined;
  readonly onAdded: ((columnId: string) => void) | undefined;
  readonly onProblem: (problem: string | undefined) => void;
  readonly onDone: () => void;
}

/** Refusals that a person may override. */
const questions = new Set([
  'OPTIONS_CHANGED',
  'RETYPE_LOSES_VALUES',
  'OPTIONS_IN_USE',
  'RETYPE_OPENED',
  'RETYPE_OPENED_LOSES_VALUES',
]);

type Body = Readonly<Record<string, unknown>>;

/** A body without a type keeps the type. */
function retypes(of: ColumnEntity, { uidt }: Body): boolean {
  return uidt !== undefined && uidt !== of.uidt;
}

/** Saves, retypes and deletes a column; losses of a type change are shown and confirmed first. */
export function useSaveColumn(options: SaveColumnOptions) {
  const { table, column, view, tried, beforeColumnId, onAdded, onProblem, onDone } = options;
  const host = useHost();
  const { api, t } = host;
  const types = useRegistry('columnTypes');
  const { project } = useShell().context;
  const [isSaving, setSaving] = useState(false);

  function refresh() {
    host.invalidate([`table:${table.id}`, ...(view ? [`view:${view.id}`] : [])]);
  }

  /** @param work resolves to false if the person cancelled. */
  async function attempt(work: () => Promise<boolean>): Promise<boolean> {
    setSaving(true);
    onProblem(undefined);
    try {
      const isDone = await work();
      if (!isDone) setSaving(false);
      else {
        refresh();
        onDone();
      }
      return isDone;
    } catch (error) {
      onProblem(messageOfError(error, t));
      setSaving(false);
      return false;
    }
  }

  /** Asks about a loss that is already known, so that the server need not check all values again just to refuse. */
  async function updateTried(of: ColumnEntity, body: Body): Promise<boolean> {
    const isRetype = retypes(of, body);
    const isCertain = tried?.state === 'done' && tried.lost > 0 && project?.is_meta !== false;
    if (!isRetype || !isCertain) {
      await update(of, body);
      return true;
    }
    const agreed = await host.confirm({
      title: t('Change column {{title}}?', { title: of.title }),
      message: lossOf({ ...tried, isRetype, keptAs: keptTitle(of) }, t),
      confirmLabel: t('Change the column'),
      cancelLabel: t('Leave it as it is'),
      danger: true,
    });
    if (agreed) await update(of, { ...body, meta: { ...(body.meta as Body | undefined), acceptLoss: true } });
    return agreed;
  }

  async function update(of: ColumnEntity, body: Body): Promise<void> {
    const send = (patch: Body) => api.request({ method: 'PATCH', path: columnPath(of.id), body: patch });
    try {
      await send(body);
      tellType(of, body);
    } catch (error) {
      if (!(error instanceof ApiError) || !questions.has(error.code ?? '')) throw error;
      const samples = (error.params.samples as readonly string[] | undefined) ?? [];
      const agreed = await host.confirm({
        title: t('Change column {{title}}?', { title: of.title }),
        message: `${error.message} ${samples.length > 0 ? t('For example: {{samples}}.', { samples: samples.join(', ') }) : ''}`,
        confirmLabel: t('Change the column'),
        danger: true,
      });
      if (!agreed) throw error;
      if (retypes(of, body))
        host.toast({ severity: 'info', summary: t('Changing the type of {{title}} …', { title: of.title }) });
      const { meta_before: before, ...rest } = body;
      // The person agreed to overwrite others' changes; further losses are asked about next.
      if (error.code === 'OPTIONS_CHANGED') return update(of, rest);
      const meta = { ...(body.meta as Body | undefined), acceptLoss: true };
      await send({ ...rest, ...(before !== undefined && { meta_before: before }), meta });
      tellType(of, body);
    }
  }

  /** The grid reads the new values shortly after the panel has closed. */
  function tellType(of: ColumnEntity, body: Body) {
    const type = types.find(({ id }) => id === body.uidt);
    if (type === undefined || type.id === of.uidt) return;
    const summary = t('{{title}} has the type {{type}} now', { title: of.title, type: t(type.label) });
    host.toast({ severity: 'success', summary });
  }

  async function create(body: Body): Promise<string | undefined> {
    const after = await api.request<TableEntity>({
      method: 'POST',
      path: `${tablePath(table.id)}/columns`,
      body: { ...body, ...(view && { view_id: view.id }) },
    });
    const made = addedColumn(table, after);
    // The column exists, even if it could not be moved or this cannot be reported.
    if (made && view && beforeColumnId !== undefined)
      await placeBefore(api, view, made.id, beforeColumnId).catch((error: unknown) =>
        host.toast({
          severity: 'warn',
          summary: t('{{title}} was added, and stands at the end', { title: made.title }),
          detail: messageOfError(error, t),
        }),
      );
    if (made !== undefined) void tellWhereHidden(host, made, after).catch(() => undefined);
    return made?.id;
  }

  return {
    isSaving,
    async save(body: Body) {
      let added: string | undefined;
      const isDone = await attempt(async () => {
        if (column) return updateTried(column, body);
        added = await create(body);
        return true;
      });
      // By now the panel is closed and has returned the focus, so the callback may move it to the column.
      if (isDone && added !== undefined) onAdded?.(added);
    },
    async remove() {
      if (column === undefined) return;
      await attempt(async () => {
        if (!(await askToDelete(host, column, project))) return false;
        await api.request({ method: 'DELETE', path: columnPath(column.id) });
        return true;
      });
    },
  };
}
