import type { Page, ProjectEntity } from '@trellis/sdk/shared';
import {
  ActionMenu,
  ApiError,
  useHost,
  useRegistry,
  useServerData,
  useShell,
  useT,
  type ProjectSource,
} from '@trellis/sdk/web';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { NewProjectDialog } from './NewProjectDialog.tsx';
import { ProjectCard } from './ProjectCard.tsx';
import { RenameDialog } from './RenameDialog.tsx';

interface OpenMenu {
  readonly project: ProjectEntity;
  readonly x: number;
  readonly y: number;
  /** Gets the focus back. */
  readonly opener: HTMLElement;
}

export default function ProjectsPage() {
  const host = useHost();
  const { t } = host;
  const shell = useShell();
  const navigate = useNavigate();
  const { data, error, isLoading, refetch } = useServerData<Page<ProjectEntity>>(
    { path: '/api/v1/db/meta/projects' },
    { tags: ['projects'] },
  );
  const sources = useRegistry('projectSources').filter((source) => source.when?.(shell.context) ?? true);
  const [search, setSearch] = useState('');
  const [source, setSource] = useState<ProjectSource>();
  const [menu, setMenu] = useState<OpenMenu>();
  const [renamed, setRenamed] = useState<ProjectEntity>();

  const projects = data?.list ?? [];
  const shown = projects.filter((project) =>
    project.title.toLowerCase().includes(search.trim().toLowerCase()),
  );

  function open(project: ProjectEntity) {
    void navigate(`/nc/${project.id}`);
  }

  async function remove(project: ProjectEntity) {
    const agreed = await host.confirm({
      title: t('Delete project {{title}}?', { title: project.title }),
      message: t('Its tables disappear for everybody at once. The project can be restored for 30 days.'),
      confirmLabel: t('Delete'),
      danger: true,
      typeToConfirm: project.title,
    });
    if (!agreed) return;
    try {
      await host.api.request({
        method: 'DELETE',
        path: `/api/v1/db/meta/projects/${encodeURIComponent(project.id)}`,
      });
      host.toast({ severity: 'success', summary: t('Project {{title}} deleted', { title: project.title }) });
    } catch (failure) {
      host.toast({
        severity: 'error',
        summary: t('The project could not be deleted'),
        detail: failure instanceof ApiError ? failure.message : undefined,
      });
    }
    host.invalidate(['projects']);
  }

  return (
    <main className="projects">
      <header className="projects-head">
        <h1>{t('My Projects')}</h1>
        {(projects.length > 6 || search !== '') && (
          <label className="projects-search">
            <i className="pi pi-search" aria-hidden="true" />
            <input
              type="search"
              value={search}
              placeholder={t('Search projects')}
              aria-label={t('Search projects')}
              onChange={(event) => setSearch(event.target.value)}
            />
          </label>
        )}
      </header>
      {projects.length > 0 && sources.length > 0 && <SourceTiles sources={sources} onChoose={setSource} />}
      {error && (
        <div className="projects-empty" role="alert">
          <p>{error.message}</p>
          <button type="button" className="tr-button" onClick={refetch}>
            {t('Try again')}
          </button>
        </div>
      )}
      {isLoading && (
        <div className="projects-grid" aria-busy="true">
          {['a', 'b', 'c'].map((key) => (
            <div key={key} className="tr-skeleton projects-skeleton" />
          ))}
        </div>
      )}
      {data && projects.length === 0 && (
        <section className="projects-welcome">
          <h2>{t('Get started by creating a new project')}</h2>
          <p>
            {t(
              'A project holds your tables. Begin with an empty one, or open a database that you already have.',
            )}
          </p>
          <SourceTiles sources={sources} onChoose={setSource} />
        </section>
      )}
      {search !== '' && shown.length === 0 && (
        <p className="projects-empty">{t('your search for {{search}} found no results', { search })}</p>
      )}
      <ul className="projects-grid">
        {shown.map((project) => (
          <ProjectCard
            key={project.id}
            project={project}
            onOpen={() => open(project)}
            onMenu={(x, y, opener) => setMenu({ project, x, y, opener })}
          />
        ))}
      </ul>
      {source && (
        <NewProjectDialog
          source={source}
          onClose={() => setSource(undefined)}
          onDone={(project) => {
            setSource(undefined);
            open(project);
          }}
        />
      )}
      {renamed && <RenameDialog project={renamed} onClose={() => setRenamed(undefined)} />}
      {menu && (
        <ActionMenu
          label={t('Project {{title}}', { title: menu.project.title })}
          x={menu.x}
          y={menu.y}
          onClose={() => {
            setMenu(undefined);
            menu.opener.focus();
          }}
          actions={[
            { id: 'open', label: t('Open'), icon: 'folder-open', run: () => open(menu.project) },
            { id: 'rename', label: t('Rename'), icon: 'pencil', run: () => setRenamed(menu.project) },
            {
              id: 'delete',
              label: t('Delete'),
              icon: 'trash',
              danger: true,
              startsGroup: true,
              run: () => void remove(menu.project),
            },
          ]}
        />
      )}
    </main>
  );
}

function SourceTiles(props: {
  readonly sources: readonly ProjectSource[];
  readonly onChoose: (source: ProjectSource) => void;
}) {
  const t = useT();
  return (
    <div className="projects-sources">
      {props.sources.map((source) => (
        <button
          key={source.id}
          type="button"
          className="projects-source"
          onClick={() => props.onChoose(source)}
        >
          <span className="projects-source-icon" aria-hidden="true">
            <i className={`pi pi-${source.icon}`} />
          </span>
          <span>
            <strong>{t(source.label)}</strong>
            <small>{t(source.description)}</small>
          </span>
        </button>
      ))}
    </div>
  );
}
