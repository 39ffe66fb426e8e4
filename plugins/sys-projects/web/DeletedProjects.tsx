import { messageOfError, useHost, useServerData } from '@trellis/sdk/web';
import { pageLanguage, WorkButton } from '@trellis/sdk/web/ui';
import { useState } from 'react';

const path = '/api/v1/db/meta/deleted-projects';

interface DeletedProject {
  readonly id: string;
  readonly title: string;
  readonly deleted_at: string;
  readonly drops_at: string;
}

/** The projects that can be restored; draws nothing if there are none. */
export function DeletedProjects() {
  const host = useHost();
  const { t } = host;
  const { data } = useServerData<{ readonly list: readonly DeletedProject[] }>(
    { path },
    { tags: ['projects'] },
  );
  const [isBusy, setBusy] = useState(false);
  const day = new Intl.DateTimeFormat(pageLanguage(), { dateStyle: 'medium' });
  const dayOf = (time: string) => day.format(new Date(`${time.replace(' ', 'T')}Z`));

  async function change({ id }: DeletedProject, how: 'restore' | 'purge') {
    const one = `${path}/${encodeURIComponent(id)}`;
    setBusy(true);
    try {
      await host.api.request(
        how === 'restore' ? { method: 'POST', path: `${one}/restore` } : { method: 'DELETE', path: one },
      );
    } catch (failure) {
      const restored = how === 'restore';
      host.toast({
        severity: 'error',
        summary: restored ? t('The project could not be restored') : t('The project could not be deleted'),
        detail: messageOfError(failure, t),
      });
    }
    setBusy(false);
    host.invalidate(['projects']);
  }

  async function purge(project: DeletedProject) {
    const agreed = await host.confirm({
      title: t('Delete {{title}} for good?', { title: project.title }),
      message: t(
        'Its tables and all their values are gone at once, from the history too. Nothing brings them back. A database that was opened as this project stays as it is.',
      ),
      confirmLabel: t('Delete for good'),
      danger: true,
      typeToConfirm: project.title,
    });
    if (agreed) await change(project, 'purge');
  }

  if (data === undefined || data.list.length === 0) return null;
  return (
    <details className="projects-deleted">
      <summary>
        <i className="pi pi-trash" aria-hidden="true" /> {t('Deleted projects')} ({data.list.length})
      </summary>
      <ul>
        {data.list.map((project) => (
          <li key={project.id}>
            <span>
              <strong>{project.title}</strong>
              <small>
                {t('deleted {{day}}, kept until {{last}}', {
                  day: dayOf(project.deleted_at),
                  last: dayOf(project.drops_at),
                })}
              </small>
            </span>
            <WorkButton
              isBusy={isBusy}
              aria-label={t('Restore {{title}}', { title: project.title })}
              onClick={() => void change(project, 'restore')}
            >
              {t('Restore')}
            </WorkButton>
            <WorkButton
              className="tr-icon-button"
              isBusy={isBusy}
              aria-label={t('Delete {{title}} for good', { title: project.title })}
              title={t('Delete for good')}
              onClick={() => void purge(project)}
            >
              <i className="pi pi-trash" aria-hidden="true" />
            </WorkButton>
          </li>
        ))}
      </ul>
    </details>
  );
}
