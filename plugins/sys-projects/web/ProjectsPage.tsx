import type { Page, ProjectEntity } from '@trellis/sdk/shared';
import {
  messageOfError,
  useHost,
  useContributions,
  useServerData,
  useT,
  type ProjectSource,
} from '@trellis/sdk/web';
import { Empty, ErrorNotice, matchesSearch, SearchField, Skeleton } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { DeletedProjects, deletedTag } from './DeletedProjects.tsx';
import { NewProjectDialog } from './NewProjectDialog.tsx';
import { ProjectCard } from './ProjectCard.tsx';
import { RenameDialog } from './RenameDialog.tsx';

export default function ProjectsPage() {
  const host = useHost();
  const { t } = host;
  const navigate = useNavigate();
  const { data, error, isLoading, refetch } = useServerData<Page<ProjectEntity>>(
    { path: '/api/v1/db/meta/projects' },
    { tags: ['projects'] },
  );
  const sources = useContributions('projectSources');
  const [search, setSearch] = useState('');
  const [source, setSource] = useState<ProjectSource>();
  const [renamed, setRenamed] = useState<ProjectEntity>();

  const projects = data?.list ?? [];
  const shown = projects.filter(({ title }) => matchesSearch(title, search.trim()));

  function open(project: ProjectEntity) {
    void navigate(`/nc/${project.id}`);
  }

  async function remove(project: ProjectEntity) {
    const path = `/api/v1/db/meta/projects/${encodeURIComponent(project.id)}`;
    // The list does not say whether a project is on a database that was there before.
    const whole = await host.api.request<ProjectEntity>({ path }).catch(() => project);
    const agreed = await host.confirm({
      title: t('Delete project {{title}}?', { title: project.title }),
      message:
        (whole.bases?.some((base) => base.is_meta) ?? whole.is_meta !== false)
          ? t('Its tables disappear for everybody at once. It can be restored on this page for 30 days.')
          : t(
              'It disappears for everybody at once, with its views. The database itself stays as it is, and can be opened again; a SQLite file that was sent to this server goes with the project after 30 days.',
            ),
      confirmLabel: t('Delete'),
      danger: true,
      typeToConfirm: project.title,
    });
    if (!agreed) return;
    try {
      await host.api.request({ method: 'DELETE', path });
      host.toast({ severity: 'success', summary: t('Project {{title}} deleted', { title: project.title }) });
    } catch (failure) {
      host.toast({
        severity: 'error',
        summary: t('The project could not be deleted'),
        detail: messageOfError(failure, t),
      });
    }
    host.invalidate(['projects', deletedTag]);
  }

  return (
    <main className="tr-page">
      <header className="tr-page-head">
        <h1>{t('My Projects')}</h1>
        {(projects.length > 6 || search !== '') && (
          <SearchField label={t('Search projects')} value={search} onChange={setSearch} />
        )}
      </header>
      {projects.length > 0 && sources.length > 0 && <SourceTiles sources={sources} onChoose={setSource} />}
      {error && <ErrorNotice message={error.message} onRetry={refetch} />}
      {isLoading && <Skeleton className="tr-cards" height={68} count={3} />}
      {data && projects.length === 0 && sources.length === 0 && (
        <Empty
          icon="folder"
          title={t('You are in no project yet')}
          text={t('Ask somebody who manages one to make you a member.')}
        />
      )}
      {data && projects.length === 0 && sources.length > 0 && (
        <section className="projects-welcome">
          <h2>{t('Get started by creating a new project')}</h2>
          <p>{t('A project holds your tables.')}</p>
          <SourceTiles sources={sources} onChoose={setSource} />
        </section>
      )}
      {search !== '' && shown.length === 0 && (
        <p className="tr-nothing">{t('your search for {{search}} found no results', { search })}</p>
      )}
      <ul className="tr-cards">
        {shown.map((project) => (
          <ProjectCard
            key={project.id}
            project={project}
            onOpen={() => open(project)}
            onRename={() => setRenamed(project)}
            onDelete={() => void remove(project)}
          />
        ))}
      </ul>
      <DeletedProjects />
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
    </main>
  );
}

function SourceTiles(props: {
  readonly sources: readonly ProjectSource[];
  readonly onChoose: (source: ProjectSource) => void;
}) {
  const t = useT();
  return (
    <div className="tr-cards projects-sources">
      {props.sources.map((source) => (
        <button
          key={source.id}
          type="button"
          className="projects-source"
          onClick={() => props.onChoose(source)}
        >
          <span className="tr-icon-tile" aria-hidden="true">
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
