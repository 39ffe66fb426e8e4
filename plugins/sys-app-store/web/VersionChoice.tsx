import type { PluginEntity } from '@trellis/sdk/shared';
import { messageOfError, useHost } from '@trellis/sdk/web';
import { WorkButton } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import { toastSubject, useNameOf } from './plugin-words.ts';
import { useConsent } from './use-consent.ts';

/** The other versions of a plugin that lie on the server: one step leads back, or forward again. */
export function VersionChoice({
  plugin,
  isLocked,
}: {
  readonly plugin: PluginEntity;
  readonly isLocked: boolean;
}) {
  const { api, t, toast, invalidate } = useHost();
  const [isBusy, setIsBusy] = useState(false);
  const agreed = useConsent();
  const name = useNameOf()(plugin);
  const others = plugin.versions.filter((version) => version !== plugin.version);
  if (others.length === 0 || isLocked) return undefined;
  const [newest] = plugin.versions;
  const subject = toastSubject(plugin.id);

  async function use(version: string): Promise<void> {
    setIsBusy(true);
    try {
      const path = `/api/v1/app-store/plugins/${encodeURIComponent(plugin.id)}/use`;
      const isUsed = await agreed({
        name,
        confirmLabel: t('Agree and use {{version}}', { version }),
        call: (consent) => api.request({ method: 'POST', path, body: { version, consent } }),
      });
      if (isUsed)
        toast({ severity: 'success', summary: t('{{name}} is now {{version}}', { name, version }), subject });
    } catch (error) {
      const summary = t('{{name}} stays as it is', { name });
      toast({ severity: 'error', summary, detail: messageOfError(error, t), life: 8000, subject });
    } finally {
      setIsBusy(false);
      invalidate(['plugins']);
    }
  }

  return (
    <div className="store-versions">
      {others.map((version) => (
        <WorkButton
          key={version}
          className="tr-link"
          isBusy={isBusy}
          aria-label={
            version === newest
              ? t('Use {{name}} {{version}}', { name, version })
              : t('Put {{name}} back to {{version}}', { name, version })
          }
          onClick={() => void use(version)}
        >
          {version === newest ? t('Use {{version}}', { version }) : t('Back to {{version}}', { version })}
        </WorkButton>
      ))}
    </div>
  );
}
