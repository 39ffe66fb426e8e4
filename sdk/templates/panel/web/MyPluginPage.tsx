import { type ServerData, useAttempt, useHost, useServerData } from '@trellis/sdk/web';
import { Notice, PageHead, WorkButton } from '@trellis/sdk/web/ui';

const notes = '/api/v1/plugins/my-plugin/notes';
// What is read under a tag is read again once the tag is invalidated, in every part of the page.
const tags = ['my-plugin notes'];

export function MyPluginPage() {
  const { api, invalidate, t } = useHost();
  const { attempt, isBusy, problem } = useAttempt();
  const { data, error }: ServerData<{ count: number }> = useServerData({ path: notes }, { tags });
  const keep = async () => {
    await api.request({ method: 'POST', path: notes });
    invalidate(tags);
  };
  const wrong = problem ?? error?.message;
  return (
    <section className="tr-page">
      <PageHead title={t('My plugin')} />
      {wrong !== undefined && <Notice severity="error">{wrong}</Notice>}
      {data !== undefined && (
        <p className="tr-note">{t('{{count}} notes', { count: data.count, one: '{{count}} note' })}</p>
      )}
      <WorkButton className="tr-button tr-button--primary" isBusy={isBusy} onClick={() => void attempt(keep)}>
        {t('Keep a note')}
      </WorkButton>
    </section>
  );
}
