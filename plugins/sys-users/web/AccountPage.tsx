import { Contribution, useContributions, useSession, useT } from '@trellis/sdk/web';
import { PageHead, PageSkeleton, Tabs } from '@trellis/sdk/web/ui';
import { useNavigate, useParams } from 'react-router-dom';

/** The person's own account: the panels of the registry, including this plugin's. */
export default function AccountPage() {
  const t = useT();
  const session = useSession();
  const navigate = useNavigate();
  const { panel } = useParams();
  const shown = useContributions('accountPanels');
  const active = shown.find(({ id }) => id === panel) ?? shown[0];
  return (
    <section className="tr-page account-page">
      <PageHead title={t('Account')} about={session.user?.email} />
      <Tabs
        label={t('Account')}
        className="account-tabs"
        items={shown.map(({ id, label, icon }) => ({ id, label: t(label), icon }))}
        value={active?.id}
        onChange={(id) => void navigate(`/user/settings/${id}`, { replace: true })}
      >
        {active !== undefined && (
          <Contribution
            registry="accountPanels"
            id={active.id}
            what={t(active.label)}
            fallback={<PageSkeleton />}
          >
            <active.Component />
          </Contribution>
        )}
      </Tabs>
    </section>
  );
}
