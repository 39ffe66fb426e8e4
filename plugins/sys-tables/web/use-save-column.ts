import type { ColumnEntity, TableEntity, ViewColumnEntity, ViewEntity } from '@trellis/sdk/shared';
import { ApiError, messageOfError, useHost, useRegistry, useShell } from '@trellis/sdk/web';
import { useState } from 'react';
import { columnPath, tablePath } from './table-requests.ts';

interface SaveColumnOptions {
  readonly table: TableEntity;
  readonly column: ColumnEntity | undefined;
  readonly view: ViewEntity | undefined;
  readonly beforeColumnId: string | undefined;
  readonly onProblem: (problem: string | undefined) => void;
  readonly onDone: () => void;
}

/** Refusals that a person may agree to. */
const questions = new Set([
  'OPTIONS_CHANGED',
  'RETYPE_LOSES_VALUES',
  'OPTIONS_IN_USE',
  'RETYPE_OPENED',
  'RETYPE_OPENED_LOSES_VALUES',
]);

type Body = Readonly<Record<string, unknown>>;

/** Saves, retypes and deletes a column; what a type change would lose is shown and agreed to first. */
export function useSaveColumn(options: SaveColumnOptions) {
  const { table, column, view, beforeColumnId, onProblem, onDone } = options;
  const host = useHost();
  const { api, t } = host;
  const types = useRegistry('columnTypes');
  const { project } = useShell().context;
  const [isSaving, setSaving] = useState(false);

  function refresh() {
    host.invalidate([`table:${table.id}`, ...(view ? [`view:${view.id}`] : [])]);
  }

  async function attempt(work: () => Promise<void>): Promise<void> {
    setSaving(true);
    onProblem(undefined);
    try {
      await work();
      refresh();
      onDone();
    } catch (error) {
      onProblem(messageOfError(error, t));
      setSaving(false);
    }
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
      if (body.uidt !== of.uidt)
        host.toast({ severity: 'info', summary: t('Changing the type of {{title}} …', { title: of.title }) });
      const { meta_before: before, ...rest } = body;
      // Agreed to take the place of what others changed; anything that this loses is asked about next.
      if (error.code === 'OPTIONS_CHANGED') return update(of, rest);
      const meta = { ...(body.meta as Body | undefined), acceptLoss: true };
      await send({ ...rest, ...(before !== undefined && { meta_before: before }), meta });
      tellType(of, body);
    }
  }

  /** The grid reads the new values a moment after the panel has closed. */
  function tellType(of: ColumnEntity, body: Body) {
    const type = types.find(({ id }) => id === body.uidt);
    if (type === undefined || type.id === of.uidt) return;
    const summary = t('{{title}} has the type {{type}} now', { title: of.title, type: t(type.label) });
    host.toast({ severity: 'success', summary });
  }

  async function create(body: Body): Promise<void> {
    const after = await api.request<TableEntity>({
      method: 'POST',
      path: `${tablePath(table.id)}/columns`,
      body,
    });
    const known = new Set((table.columns ?? []).map((of) => of.id));
    const made = after.columns?.find((of) => !known.has(of.id));
    if (made && view && beforeColumnId !== undefined) await moveBefore(view, made.id, beforeColumnId);
  }

  /** Places the new column half-way between the one named and the one before it. */
  async function moveBefore(of: ViewEntity, columnId: string, target: string): Promise<void> {
    const path = `/api/v1/db/meta/views/${encodeURIComponent(of.id)}/columns`;
    const columns = await api.request<readonly ViewColumnEntity[]>({ path });
    const ordered = columns.toSorted((a, b) => a.order - b.order);
    const at = ordered.findIndex((item) => item.fk_column_id === target);
    const next = ordered[at];
    const moved = columns.find((item) => item.fk_column_id === columnId);
    if (next === undefined || moved === undefined) return;
    const order = ((ordered[at - 1]?.order ?? next.order - 1) + next.order) / 2;
    await api.request({ method: 'PATCH', path: `${path}/${encodeURIComponent(moved.id)}`, body: { order } });
  }

  return {
    isSaving,
    save: (body: Body) => attempt(() => (column ? update(column, body) : create(body))),
    async remove() {
      if (column === undefined) return;
      const agreed = await host.confirm({
        title: t('Delete column {{title}}?', { title: column.title }),
        message:
          project?.is_meta === false
            ? t('It disappears here for everybody at once. The database keeps it, with its values.')
            : t(
                'It disappears for everybody at once, with its values. The trash of the project keeps it for 30 days.',
              ),
        confirmLabel: t('Delete'),
        danger: true,
      });
      if (!agreed) return;
      await attempt(async () => {
        await api.request({ method: 'DELETE', path: columnPath(column.id) });
      });
    },
  };
}
