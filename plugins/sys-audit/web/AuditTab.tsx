import type { Page, ProjectEntity } from '@trellis/sdk/shared';
import { useHost, useServerData } from '@trellis/sdk/web';
import { Empty, ErrorNotice, LogPages, Skeleton, PageHead } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import type { AuditEntity } from '../shared/index.ts';
import { AuditFilters } from './AuditFilters.tsx';
import { AuditLine } from './AuditLine.tsx';
import { auditRequest, everything, pageSize, type AuditChoice } from './audit-requests.ts';

/** What was done in a project, the newest first, a page at a time. */
export default function AuditTab({ project }: { readonly project: ProjectEntity }) {
  const { t } = useHost();
  const [{ choice, page }, setPlace] = useState({ choice: everything, page: 0 });
  const { data, error, isFetching, refetch } = useServerData<Page<AuditEntity>>(
    auditRequest(project, choice, page),
    { tags: [`audit:${project.id}`] },
  );
  const { list = [], pageInfo } = data ?? {};
  const first = page * pageSize;
  const choose = (patch: Partial<AuditChoice>) => setPlace({ choice: { ...choice, ...patch }, page: 0 });

  return (
    <section className="tr-page audit-page">
      <PageHead
        title={t('Audit')}
        about={t('What was done in this project, by whom and when. Times are those of your device.')}
      >
        <button type="button" className="tr-button" disabled={isFetching} onClick={refetch}>
          <i className="pi pi-refresh" aria-hidden="true" /> {t('Read again')}
        </button>
      </PageHead>
      <AuditFilters project={project} choice={choice} onChoose={choose} />
      {error && <ErrorNotice message={error.message} onRetry={refetch} />}
      {!error && data === undefined && <Skeleton height={56} count={5} />}
      {data !== undefined && list.length === 0 && (
        <Empty
          icon="history"
          title={t('Nothing was done that meets this')}
          text={t('The audit reaches back as far as the server keeps changes.')}
        />
      )}
      {list.length > 0 && (
        <>
          <ol className="audit-list" aria-label={t('What was done')} aria-busy={isFetching} start={first + 1}>
            {list.map((line) => (
              <AuditLine key={line.id} project={project} line={line} onChoose={choose} />
            ))}
          </ol>
          <LogPages
            offset={first}
            shown={list.length}
            total={pageInfo?.totalRows ?? 0}
            atOnce={pageSize}
            onTurn={(offset) => setPlace({ choice, page: offset / pageSize })}
          />
        </>
      )}
    </section>
  );
}
