import { hostObjectKinds, type Page, type ProjectEntity } from '@trellis/sdk/shared';
import { objectsTag, useHost, useServerData, useTables } from '@trellis/sdk/web';
import { Empty, ErrorNotice, LogPages, Notice, PageHead, Skeleton, WorkButton } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import type { AuditEntity } from '../shared/index.ts';
import { AuditFilters } from './AuditFilters.tsx';
import { AuditLine } from './AuditLine.tsx';
import { auditRequest, everything, pageSize, type AuditChoice } from './audit-requests.ts';
import { useRowEvents } from './use-row-events.ts';

/** What was done in a project, the newest first, a page at a time. */
export default function AuditTab({ project }: { readonly project: ProjectEntity }) {
  const { t, invalidate } = useHost();
  const [{ choice, page }, setPlace] = useState({ choice: everything, page: 0 });
  const tag = objectsTag(hostObjectKinds.audit, project.id);
  const { data, error, isFetching, refetch } = useServerData<Page<AuditEntity>>(
    auditRequest(project, choice, page),
    // What is told of rows would have it read again with each cell that somebody fills.
    {
      tags: [tag, `tables:${project.id}`, `project:${project.id}`],
    },
  );
  const { list = [], pageInfo } = data ?? {};
  const tables = useTables(project.id).data?.list ?? [];
  // Of the lines that were there when rows changed: others have been read since.
  const [outdated, setOutdated] = useState<typeof data>();
  const isOutdated = data !== undefined && data === outdated;
  useRowEvents(choice.table === '' ? tables.map(({ id }) => id) : [choice.table], () => setOutdated(data));
  const first = page * pageSize;
  function readNewest() {
    setOutdated(undefined);
    invalidate([tag]);
    setPlace({ choice, page: 0 });
  }
  const choose = (patch: Partial<AuditChoice>) => setPlace({ choice: { ...choice, ...patch }, page: 0 });

  return (
    <section className="tr-page audit-page">
      <PageHead
        title={t('Audit')}
        about={t('What was done in this project, by whom and when. Times are those of your device.')}
      >
        <WorkButton
          isBusy={isFetching}
          onClick={() => {
            setOutdated(undefined);
            refetch();
          }}
        >
          <i className="pi pi-refresh" aria-hidden="true" /> {t('Read again')}
        </WorkButton>
      </PageHead>
      <AuditFilters project={project} choice={choice} onChoose={choose} />
      {error && <ErrorNotice message={error.message} onRetry={refetch} />}
      {isOutdated && (
        <Notice severity="info" actions={[{ label: t('Show them'), run: readNewest }]}>
          {t('Rows were changed since: there are newer entries.')}
        </Notice>
      )}
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
