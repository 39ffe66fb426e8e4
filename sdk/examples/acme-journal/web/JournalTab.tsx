import type { ProjectEntity } from '@trellis/sdk/shared';
import { type ServerData, useServerData, useT } from '@trellis/sdk/web';
import { Notice } from '@trellis/sdk/web/ui';

interface Days {
  readonly list: readonly { readonly day: string; readonly changes: number }[];
}

/** A tab of the project: how much was changed on each day. */
export default function JournalTab({ project }: { readonly project: ProjectEntity }) {
  const t = useT();
  const path = `/api/v1/plugins/acme-journal/projects/${encodeURIComponent(project.id)}/days`;
  const { data, error }: ServerData<Days> = useServerData({ path });
  if (error !== undefined) return <Notice severity="error">{error.message}</Notice>;
  if (data?.list.length === 0) return <p className="tr-note">{t('Nothing was changed yet')}</p>;
  return (
    <dl aria-label={t('Journal')} className="tr-page">
      {data?.list.map(({ day, changes }) => (
        <div key={day}>
          <dt>{day}</dt>
          <dd>{t('{{count}} changes', { count: changes, one: '{{count}} change' })}</dd>
        </div>
      ))}
    </dl>
  );
}
