import { messageOfError, useHost, useServerData } from '@trellis/sdk/web';
import { pageLanguage } from '@trellis/sdk/web/ui';
import { useState } from 'react';

const path = '/api/v1/db/meta/deleted-projects';

/** Under it lies the list of what was deleted. */
export const deletedTag = 'deleted-projects';

interface DeletedProject {
  readonly id: string;
  readonly title: string;
  readonly deleted_at: string;
  readonly drops_at: string;
}

/** The projects that can be brought back; absent where there are none. */
export function DeletedProjects() {
  const host = useHost();
  const { t } = host;
  const { data } = useServerData<{ readonly list: readonly DeletedProject[] }>(
    { path },
    { tags: [deletedTag] },
  );
  const [restoring, setRestoring] = useState<string>();
  const day = new Intl.DateTimeFormat(pageLanguage(), { dateStyle: 'medium' });
  const dayOf = (time: string) => day.format(new Date(`${time.replace(' ', 'T')}Z`));

  async function restore({ id }: DeletedProject) {
    setRestoring(id);
    try {
      await host.api.request({ method: 'POST', path: `${path}/${encodeURIComponent(id)}/restore` });
    } catch (failure) {
      host.toast({
        severity: 'error',
        summary: t('The project could not be restored'),
        detail: messageOfError(failure, t),
      });
    }
    setRestoring(undefined);
    host.invalidate(['projects', deletedTag]);
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
            <button
              type="button"
              className="tr-button"
              disabled={restoring !== undefined}
              aria-label={t('Restore {{title}}', { title: project.title })}
              onClick={() => void restore(project)}
            >
              {t('Restore')}
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}
