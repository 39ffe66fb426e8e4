import type { ProjectEntity } from '@trellis/sdk/shared';
import {
  Contribution,
  hasPermission,
  useAttempt,
  useContributions,
  useHost,
  useServerData,
} from '@trellis/sdk/web';
import {
  Dialog,
  Empty,
  ErrorNotice,
  Notice,
  pageLanguage,
  Skeleton,
  useKeptFocus,
  WorkButton,
} from '@trellis/sdk/web/ui';
import { useEffect } from 'react';
import type { TrashEntity } from '../shared/index.ts';
import { trashPath } from './table-requests.ts';

/** A project's deleted items, which can be restored or removed for good. */
export default function TrashDialog({
  project,
  onClose,
}: {
  readonly project: ProjectEntity;
  readonly onClose: () => void;
}) {
  const { t } = useHost();
  const sections = useContributions('trashSections', undefined, { project });
  const seesTables = hasPermission('tableDelete', project);
  return (
    <Dialog
      title={t('Trash of {{title}}', { title: project.title })}
      width={620}
      dismissable
      onClose={onClose}
    >
      <div className="tables-trash">
        {seesTables && sections.length > 0 && <h3>{t('Tables and columns')}</h3>}
        {seesTables && <DeletedTables project={project} isAlone={sections.length === 0} />}
        {sections.map(({ id, label, Component }) => (
          <section key={id} aria-label={t(label)}>
            <h3>{t(label)}</h3>
            <Contribution registry="trashSections" id={id} fallback={<Skeleton height={48} count={2} />}>
              <Component project={project} />
            </Contribution>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

const trashTag = (projectId: string): string => `trash:${projectId}`;

/** Deleted tables and columns. */
function DeletedTables(props: {
  readonly project: ProjectEntity;
  /** Whether the trash contains nothing else. */
  readonly isAlone: boolean;
}) {
  const { project, isAlone } = props;
  const host = useHost();
  const { t } = host;
  const path = trashPath(project.id);
  const tags = [trashTag(project.id)];
  const { data, error, isLoading, refetch } = useServerData<{ readonly list: readonly TrashEntity[] }>(
    { path },
    { tags },
  );
  const { live, invalidate } = host;
  useEffect(() => {
    // Tables and columns are deleted and restored here or by others.
    const subscription = live.onEvent((event) => {
      if (event.kind === 'schema' && event.projectId === project.id) invalidate([trashTag(project.id)]);
    });
    return () => {
      subscription.dispose();
      // Drops the list, so that the next opening reads it again.
      invalidate([trashTag(project.id)]);
    };
  }, [live, invalidate, project.id]);
  const { isBusy, problem, attempt } = useAttempt();
  const { list, pressed } = useKeptFocus();
  const items = data?.list ?? [];
  const pathOf = ({ kind, id }: TrashEntity) => `${path}/${kind}s/${encodeURIComponent(id)}`;
  const day = new Intl.DateTimeFormat(pageLanguage(), { dateStyle: 'medium' });
  const dayOf = (time: string) => day.format(new Date(`${time.replace(' ', 'T')}Z`));

  function refresh(item: TrashEntity) {
    const table = item.table?.id ?? item.id;
    host.invalidate([...tags, `tables:${project.id}`, `table:${table}`]);
  }

  async function restore(item: TrashEntity, index: number) {
    pressed(index);
    const isDone = await attempt(() => host.api.request({ method: 'POST', path: `${pathOf(item)}/restore` }));
    refresh(item);
    if (isDone)
      host.toast({ severity: 'success', summary: t('{{title}} is back', { title: item.title }), life: 4000 });
  }

  async function purge(item: TrashEntity, index: number) {
    const agreed = await host.confirm({
      title: t('Delete {{title}} for good?', { title: item.title }),
      message: item.is_meta
        ? t('Its values are gone at once, from the history too. Nothing brings them back.')
        : t('It is taken off this list. The database keeps it, with its values.'),
      confirmLabel: t('Delete for good'),
      danger: true,
    });
    if (!agreed) return;
    pressed(index);
    await attempt(() => host.api.request({ method: 'DELETE', path: pathOf(item) }));
    refresh(item);
  }

  return (
    <>
      {problem !== undefined && <Notice severity="error">{problem}</Notice>}
      {isLoading && <Skeleton height={48} count={3} />}
      {error && <ErrorNotice message={error.message} onRetry={refetch} />}
      {data &&
        items.length === 0 &&
        (isAlone ? (
          <Empty
            icon="trash"
            title={t('The trash is empty')}
            text={t('Deleted tables and columns are kept here for 30 days.')}
          />
        ) : (
          <p className="tr-note">{t('No tables or columns were deleted in the last 30 days.')}</p>
        ))}
      <ul ref={list} tabIndex={-1} className="tr-entries" aria-busy={isBusy}>
        {items.map((item, index) => (
          <li key={item.id}>
            <i className={`pi pi-${item.kind === 'table' ? 'table' : 'bars'}`} aria-hidden="true" />
            <span className="tr-entries-text">
              <strong>{item.title}</strong>
              <small>
                {item.table === null ? t('Table') : t('Column of {{table}}', { table: item.table.title })}
                {' · '}
                {t('deleted {{day}}, kept until {{last}}', {
                  day: dayOf(item.deleted_at),
                  last: dayOf(item.drops_at),
                })}
              </small>
            </span>
            <WorkButton
              data-entry-action
              isBusy={isBusy}
              aria-label={t('Restore {{title}}', { title: item.title })}
              onClick={() => void restore(item, index)}
            >
              {t('Restore')}
            </WorkButton>
            <WorkButton
              className="tr-icon-button"
              isBusy={isBusy}
              aria-label={t('Delete {{title}} for good', { title: item.title })}
              title={t('Delete for good')}
              onClick={() => void purge(item, index)}
            >
              <i className="pi pi-trash" aria-hidden="true" />
            </WorkButton>
          </li>
        ))}
      </ul>
    </>
  );
}
