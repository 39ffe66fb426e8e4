import { objectsTag, useHost, useServerData } from '@trellis/sdk/web';
import { Notice } from '@trellis/sdk/web/ui';
import { mistakesObjectKind, type DevelopmentMistake } from '../shared/index.ts';

const path = '/api/v1/app-store/dev/mistakes';
const tags = [objectsTag(mistakesObjectKind)];

/** What is wrong with plugins that people work on, over whatever page is open, until it is mended or somebody closes it. */
export function DevelopmentMistakes() {
  const { api, t, invalidate } = useHost();
  const { data } = useServerData<{ readonly list: readonly DevelopmentMistake[] }>({ path }, { tags });

  async function close(id: string): Promise<void> {
    // What could not be taken away is shown again.
    await api.request({ method: 'POST', path, body: { id } }).catch(() => undefined);
    invalidate(tags);
  }

  if (data === undefined || data.list.length === 0) return null;
  return (
    <div className="store-mistakes">
      {data.list.map(({ id, mistakes }) => (
        <Notice key={id} severity="error" onClose={() => void close(id)}>
          <strong>{t("'{{plugin}}', which somebody works on, stays as it was:", { plugin: id })}</strong>
          <pre>{mistakes}</pre>
        </Notice>
      ))}
    </div>
  );
}
