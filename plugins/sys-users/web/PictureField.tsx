import { messageOfError, useHost, useSession } from '@trellis/sdk/web';
import { PersonMark, smallPicture, WorkButton } from '@trellis/sdk/web/ui';
import { useRef, useState } from 'react';

const path = '/api/v1/auth/user/picture';
const ownPicture = (file: Blob) => smallPicture(file, { width: 256, height: 256, fit: 'cover' });

/** The person's picture: shows, replaces and removes it. */
export function PictureField({ shrink = ownPicture }: { readonly shrink?: typeof ownPicture }) {
  const { t, api, toast } = useHost();
  const session = useSession();
  const field = useRef<HTMLInputElement>(null);
  const [isBusy, setBusy] = useState(false);
  const { user } = session;
  const name = [user?.firstname, user?.lastname].filter(Boolean).join(' ') || (user?.email ?? '');

  async function run(request: () => Promise<unknown>, summary: string) {
    setBusy(true);
    try {
      await request();
      await session.check();
      toast({ severity: 'success', summary });
    } catch (error) {
      const detail = messageOfError(error, t);
      toast({ severity: 'error', summary: t('The picture could not be changed'), detail });
    } finally {
      setBusy(false);
    }
  }

  async function choose(file: File | undefined) {
    if (file === undefined) return;
    const picture = await shrink(file);
    if (picture === undefined)
      return toast({ severity: 'error', summary: t('This file is no picture that can be shown') });
    await run(() => api.request({ method: 'PUT', path, body: { picture } }), t('Your picture is saved'));
  }

  return (
    <div className="account-picture" aria-busy={isBusy}>
      <PersonMark name={name} picture={user?.picture} />
      <input
        ref={field}
        aria-label={t('Picture of you')}
        type="file"
        accept="image/png,image/jpeg,image/webp,image/gif"
        hidden
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          event.target.value = '';
          void choose(file);
        }}
      />
      <WorkButton isBusy={isBusy} onClick={() => field.current?.click()}>
        <i className="pi pi-image" aria-hidden="true" />{' '}
        {user?.picture ? t('Choose another picture') : t('Choose a picture')}
      </WorkButton>
      {user?.picture && (
        <WorkButton
          isBusy={isBusy}
          onClick={() => void run(() => api.request({ method: 'DELETE', path }), t('Your picture is gone'))}
        >
          {t('Take it away')}
        </WorkButton>
      )}
    </div>
  );
}
