import type { ProjectEntity } from '@trellis/sdk/shared';
import { hasPermission, showCell, useAttempt, useHost, useRegistry, useServerData } from '@trellis/sdk/web';
import { ErrorNotice, Notice, pageLanguage, Skeleton, useKeptFocus, WorkButton } from '@trellis/sdk/web/ui';
import { useEffect } from 'react';
import type { DeletionEntity, UndoneEntity } from '../shared/index.ts';

/** Deleted rows that can be restored, grouped by deletion. */
export default function DeletedRows({ project }: { readonly project: ProjectEntity }) {
  const host = useHost();
  const { t } = host;
  const types = useRegistry('columnTypes');
  const path = `/api/v1/db/data/operations/${encodeURIComponent(project.id)}`;
  const tag = `deleted-rows:${project.id}`;
  const { data, error, isLoading, refetch } = useServerData<{ readonly list: readonly DeletionEntity[] }>(
    { path: `${path}/deletions` },
    { tags: [tag] },
  );
  const { live, invalidate } = host;
  useEffect(() => {
    const subscription = live.onEvent((event) => {
      const isOfRows = event.kind === 'rows' || event.kind === 'rowsReset';
      if (isOfRows && event.projectId === project.id) invalidate([tag]);
    });
    return () => {
      subscription.dispose();
      // No event reports later deletions in every table, so the list is dropped, and read again when it is opened again.
      invalidate([tag]);
    };
  }, [live, invalidate, project.id, tag]);
  const { isBusy, problem, attempt } = useAttempt();
  const { list, pressed } = useKeptFocus();
  const mayPurge = hasPermission('deletionPurge', project);
  const time = new Intl.DateTimeFormat(pageLanguage(), { dateStyle: 'medium', timeStyle: 'short' });

  function namesOf({ column, names, count }: DeletionEntity): string {
    const type = types.find(({ id }) => id === column?.uidt);
    const texts =
      column === null || type?.isCovered === true
        ? []
        : names.map((value) => showCell(value, column, type)).filter((text) => text !== '');
    const rest = count - texts.length;
    if (texts.length === 0) return t('{{count}} rows', { count, one: '1 row' });
    const named = texts.join(', ');
    return rest > 0 ? t('{{named}} and {{rest}} more', { named, rest }) : named;
  }

  async function restore(item: DeletionEntity, index: number) {
    pressed(index);
    const operation = encodeURIComponent(item.operation_id);
    let done: UndoneEntity | undefined;
    await attempt(async () => {
      done = await host.api.request<UndoneEntity>({ method: 'POST', path: `${path}/${operation}/undo` });
    });
    host.invalidate([tag]);
    if (done === undefined) return;
    const { rows: count, purged = 0 } = done;
    host.toast({
      severity: 'success',
      summary: t('{{count}} rows are back', { count, one: 'The row is back' }),
      ...(purged > 0 && {
        detail: t('{{count}} were deleted for good meanwhile and stay away.', {
          count: purged,
          one: 'One was deleted for good meanwhile and stays away.',
        }),
      }),
      life: 4000,
    });
  }

  async function purge(item: DeletionEntity, index: number) {
    const { count } = item;
    const agreed = await host.confirm({
      title: t('Delete {{title}} for good?', { title: namesOf(item) }),
      message: t(
        'What {{count}} rows held is gone at once, with their history and their comments. Nothing brings it back. Copies stay for a while: in backups for as long as these are kept, in the logs of webhooks and automations for 30 days, and attached files for 90 days, unless the server is set otherwise.',
        {
          count,
          one: 'What the row held is gone at once, with its history and its comments. Nothing brings it back. Copies stay for a while: in backups for as long as these are kept, in the logs of webhooks and automations for 30 days, and attached files for 90 days, unless the server is set otherwise.',
        },
      ),
      confirmLabel: t('Delete for good'),
      danger: true,
    });
    if (!agreed) return;
    pressed(index);
    const operation = encodeURIComponent(item.operation_id);
    const isDone = await attempt(() =>
      host.api.request({ method: 'DELETE', path: `${path}/deletions/${operation}` }),
    );
    host.invalidate([tag]);
    if (!isDone) return;
    host.toast({
      severity: 'success',
      summary: t('{{count}} rows are deleted for good', { count, one: 'The row is deleted for good' }),
      life: 4000,
    });
  }

  return (
    <>
      {problem !== undefined && <Notice severity="error">{problem}</Notice>}
      {isLoading && <Skeleton height={48} count={2} />}
      {error && <ErrorNotice message={error.message} onRetry={refetch} />}
      {data?.list.length === 0 && <p className="tr-note">{t('No rows were deleted.')}</p>}
      <ul ref={list} tabIndex={-1} className="tr-entries" aria-busy={isBusy}>
        {data?.list.map((item, index) => (
          <li key={item.operation_id}>
            <i className="pi pi-minus" aria-hidden="true" />
            <span className="tr-entries-text">
              <strong>{namesOf(item)}</strong>
              <small>
                {t('{{count}} rows of {{table}}, deleted {{time}} by {{user}}', {
                  count: item.count,
                  one: 'Row of {{table}}, deleted {{time}} by {{user}}',
                  table: item.table.title,
                  time: time.format(new Date(item.deleted_at)),
                  user: item.user,
                })}
              </small>
            </span>
            <WorkButton
              data-entry-action
              isBusy={isBusy}
              aria-label={t('Restore {{title}}', { title: namesOf(item) })}
              onClick={() => void restore(item, index)}
            >
              {t('Restore')}
            </WorkButton>
            {mayPurge && (
              <WorkButton
                isBusy={isBusy}
                aria-label={t('Delete {{title}} for good', { title: namesOf(item) })}
                onClick={() => void purge(item, index)}
              >
                {t('Delete for good')}
              </WorkButton>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
