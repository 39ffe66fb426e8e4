import type { ProjectEntity } from '@trellis/sdk/shared';
import { useT } from '@trellis/sdk/web';
import { PageHead } from '@trellis/sdk/web/ui';
import { AuditLines } from './AuditLines.tsx';
import { ReadAgain } from './ReadAgain.tsx';
import { useAudit } from './use-audit.ts';

/** A project's audit log. */
export default function AuditTab({ project }: { readonly project: ProjectEntity }) {
  const t = useT();
  const audit = useAudit(project);
  return (
    <section className="tr-page audit-page">
      <PageHead
        title={t('Audit')}
        about={t('What was done in this project, by whom and when. Times are those of your device.')}
      >
        <ReadAgain audit={audit} />
      </PageHead>
      <AuditLines project={project} audit={audit} />
    </section>
  );
}
