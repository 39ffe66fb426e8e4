import type { ProjectEntity } from '@trellis/sdk/shared';
import { showCell, useAttempt, useHost, useRegistry, useServerData } from '@trellis/sdk/web';
import { ErrorNotice, Notice, pageLanguage, Skeleton } from '@trellis/sdk/web/ui';
import { useEffect } from 'react';
import type { DeletionEntity } from '../shared/index.ts';

/** Rows that were deleted and can come back, those of one deletion together. */
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
      // No event tells of later deletions in every table: the list is forgotten, and read anew when it is opened again.
      invalidate([tag]);
    };
  }, [live, invalidate, project.id, tag]);
  const { isBusy, problem, attempt } = useAttempt();
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

  async function restore(item: DeletionEntity) {
    const operation = encodeURIComponent(item.operation_id);
    const isDone = await attempt(() =>
      host.api.request({ method: 'POST', path: `${path}/${operation}/undo` }),
    );
    host.invalidate([tag]);
    if (!isDone) return;
    const { count } = item;
    host.toast({
      severity: 'success',
      summary: t('{{count}} rows are back', { count, one: 'The row is back' }),
      life: 4000,
    });
  }

  return (
    <>
      {problem !== undefined && <Notice severity="error">{problem}</Notice>}
      {isLoading && <Skeleton height={48} count={2} />}
      {error && <ErrorNotice message={error.message} onRetry={refetch} />}
      {data?.list.length === 0 && <p className="tr-note">{t('No rows were deleted.')}</p>}
      <ul className="tr-entries" aria-busy={isBusy}>
        {data?.list.map((item) => (
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
            <button
              type="button"
              className="tr-button"
              disabled={isBusy}
              aria-label={t('Restore {{title}}', { title: namesOf(item) })}
              onClick={() => void restore(item)}
            >
              {t('Restore')}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
