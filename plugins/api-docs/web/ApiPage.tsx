import type { ProjectEntity, TableEntity } from '@trellis/sdk/shared';
import { messageOfError, useHost, useServerData } from '@trellis/sdk/web';
import { ErrorNotice, Select, Skeleton, PageHead } from '@trellis/sdk/web/ui';
import { useState, type ReactNode } from 'react';
import { Link, useParams } from 'react-router-dom';
import type { ApiDocument } from '../shared/index.ts';

/** With more tables than this, one is shown at a time: all calls would be thousands. */
const mostTogether = 40;

interface ApiPageProps {
  readonly page: 'swagger' | 'redoc';
  readonly children: (document: ApiDocument) => ReactNode;
}

/** The frame of a project's API pages: the project, the table, and links to the other pages. */
export function ApiPage({ page, children }: ApiPageProps) {
  const { t, api, toast } = useHost();
  const { projectId = '' } = useParams();
  const path = `/api/v1/db/meta/projects/${encodeURIComponent(projectId)}`;
  const tags = [`project:${projectId}`, `tables:${projectId}`];
  const project = useServerData<ProjectEntity>({ path }, { tags });
  const tables = useServerData<{ readonly list: readonly TableEntity[] }>(
    { path: `${path}/tables` },
    { tags },
  );
  const [chosen, setChosen] = useState<string>();
  const list = tables.data?.list ?? [];
  const isLarge = list.length > mostTogether;
  const table = chosen ?? (isLarge ? list[0]?.id : '') ?? '';
  const request = { path: `${path}/swagger.json`, ...(table !== '' && { query: { table } }) };
  const document = useServerData<ApiDocument>(tables.data && request, { tags });
  const failed = [project, tables, document].filter((read) => read.error);
  const error = failed[0]?.error;
  const title = project.data?.title ?? '';

  function readAgain() {
    for (const { refetch } of failed) refetch();
  }

  async function download() {
    try {
      await api.download(request, `${title || 'project'}.openapi.json`);
    } catch (failure) {
      const summary = t('The description of the API could not be downloaded');
      toast({ severity: 'error', summary, detail: messageOfError(failure, t) });
    }
  }

  const all = isLarge ? [] : [{ value: '', label: t('All tables') }];

  return (
    <section className="tr-page api-docs" aria-busy={document.isFetching}>
      <PageHead
        title={t('API of {{project}}', { project: title })}
        about={t('Every call that you may make on the rows of this project.')}
      >
        <div className="api-docs-tools">
          <Select
            label={t('Table')}
            value={table}
            options={[...all, ...list.map(({ id, title: label }) => ({ value: id, label }))]}
            onChange={setChosen}
          />
          <Link
            className="tr-button"
            to={`/nc/${encodeURIComponent(projectId)}/${page === 'swagger' ? 'redoc' : 'swagger'}`}
          >
            {page === 'swagger' ? t('Read') : t('Try calls')}
          </Link>
          <button type="button" className="tr-button" onClick={() => void download()}>
            {t('Download OpenAPI')}
          </button>
          <Link className="tr-button" to={`/nc/${encodeURIComponent(projectId)}`}>
            {t('Back to the project')}
          </Link>
        </div>
      </PageHead>
      {error && <ErrorNotice message={error.message} onRetry={readAgain} />}
      {!error && document.data === undefined && <Skeleton height={48} count={6} />}
      {document.data && children(document.data)}
    </section>
  );
}
