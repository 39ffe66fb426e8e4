import { useT } from '@trellis/sdk/web';
import { Empty, ErrorNotice, LogPages, Notice, Skeleton } from '@trellis/sdk/web/ui';
import { AuditFilters } from './AuditFilters.tsx';
import { AuditLine } from './AuditLine.tsx';
import { pageSize, type AuditProject } from './audit-requests.ts';
import type { ShownAudit } from './use-audit.ts';

/** The filters and the matching lines. */
export function AuditLines({
  project,
  audit,
}: {
  readonly project?: AuditProject;
  readonly audit: ShownAudit;
}) {
  const t = useT();
  const { choice, lines, error, isFetching, isOutdated, first, choose } = audit;
  const { list = [], pageInfo } = lines ?? {};
  return (
    <>
      <AuditFilters project={project} choice={choice} onChoose={choose} />
      {error && <ErrorNotice message={error.message} onRetry={audit.readAgain} />}
      {isOutdated && (
        <Notice severity="info" actions={[{ label: t('Show them'), run: audit.readNewest }]}>
          {t('Rows were changed since: there are newer entries.')}
        </Notice>
      )}
      {!error && lines === undefined && <Skeleton height={56} count={5} />}
      {lines !== undefined && list.length === 0 && (
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
            isAtLeast={pageInfo?.isAtLeast}
            atOnce={pageSize}
            onTurn={audit.turnTo}
          />
        </>
      )}
    </>
  );
}
