import type { Page, ProjectEntity } from '@trellis/sdk/shared';
import { useContributions, useServerData, useT, type ProjectSource } from '@trellis/sdk/web';
import { Empty, ErrorNotice, matchesSearch, SearchField, Skeleton, PageHead } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { DeletedProjects } from './DeletedProjects.tsx';
import { NewProjectDialog } from './NewProjectDialog.tsx';
import { ProjectCard } from './ProjectCard.tsx';
import { RenameDialog } from './RenameDialog.tsx';
import { useRemoveProject } from './use-remove-project.ts';

export default function ProjectsPage() {
  const t = useT();
  const navigate = useNavigate();
  const { data, error, isLoading, refetch } = useServerData<Page<ProjectEntity>>(
    { path: '/api/v1/db/meta/projects' },
    { tags: ['projects'] },
  );
  const sources = useContributions('projectSources');
  const [search, setSearch] = useState('');
  const [source, setSource] = useState<ProjectSource>();
  const [renamed, setRenamed] = useState<ProjectEntity>();
  const remove = useRemoveProject();

  // Super admins also receive all other projects, which they cannot open.
  const projects = (data?.list ?? []).filter(({ role }) => role !== undefined);
  const shown = projects.filter(({ title }) => matchesSearch(title, search.trim()));

  function open(project: ProjectEntity) {
    void navigate(`/nc/${project.id}`);
  }

  return (
    <section className="tr-page">
      <PageHead title={t('My Projects')}>
        {(projects.length > 6 || search !== '') && (
          <SearchField label={t('Search projects')} value={search} onChange={setSearch} />
        )}
      </PageHead>
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
    </section>
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
