import { projectRoles, isWithinRole } from '@trellis/sdk/shared';
import { useT, type DashboardTab } from '@trellis/sdk/web';
import type { ComponentProps } from 'react';
import { PageHead } from '@trellis/sdk/web/ui';
import { TokenList } from './TokenList.tsx';

/** The tokens for one project. */
export default function ProjectTokens({ project }: ComponentProps<DashboardTab['Component']>) {
  const t = useT();
  const own = project.role ?? 'viewer';
  const roles = projectRoles.filter((role) => role !== 'owner' && isWithinRole(role, own));
  return (
    <section className="tr-page tokens">
      <PageHead
        title={t('API tokens')}
        about={t(
          'A token lets a script or another program work in this project in your name, and nowhere else.',
        )}
      />
      <TokenList
        path={`/api/v1/db/meta/projects/${encodeURIComponent(project.id)}/api-tokens`}
        roles={roles}
        projectId={project.id}
      />
    </section>
  );
}
