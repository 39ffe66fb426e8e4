import { useAttempt, useHost, useServerData } from '@trellis/sdk/web';

const notes = '/api/v1/plugins/my-plugin/notes';
// What is read under a tag is read again once the tag is invalidated, in every part of the page.
const tags = ['my-plugin notes'];

export function MyPluginPage() {
  const { api, invalidate, t } = useHost();
  const { attempt, isBusy, problem } = useAttempt();
  const { data, error } = useServerData<{ readonly count: number }>({ path: notes }, { tags });
  const keep = async () => {
    await api.request({ method: 'POST', path: notes });
    invalidate(tags);
  };
  return (
    <main className="tr-page">
      <h1>{t('My plugin')}</h1>
      {(problem ?? error?.message) !== undefined && <p role="alert">{problem ?? error?.message}</p>}
      {data !== undefined && <p>{t('{{count}} notes', { count: data.count, one: '{{count}} note' })}</p>}
      <button type="button" disabled={isBusy} onClick={() => void attempt(keep)}>
        {t('Keep a note')}
      </button>
    </main>
  );
}
