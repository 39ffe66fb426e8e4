import { useHost } from '@trellis/sdk/web';
import { smallPicture, useFileDrop, WorkButton, type PictureSize } from '@trellis/sdk/web/ui';
import { useRef, useState } from 'react';
import { mostPictureBytes, pictureOptions, type FormOptions, type PicturePlace } from '../shared/index.ts';
import { FormPicture } from './FormPicture.tsx';

export interface PictureOptionProps {
  readonly label: string;
  readonly place: PicturePlace;
  readonly viewId: string;
  readonly options: FormOptions;
  /** A picture in base64, or none. Resolves to whether it was accepted. */
  onPicture(this: void, place: PicturePlace, picture?: string): Promise<boolean>;
  readonly shrink?: (file: Blob, size: PictureSize) => Promise<string | undefined>;
}

/** Twice the size that the form shows, for high-resolution screens. */
const sizes: Readonly<Record<PicturePlace, PictureSize>> = {
  banner: { width: 1600, height: 1600, fit: 'inside', most: mostPictureBytes },
  logo: { width: 480, height: 224, fit: 'inside' },
};

/** A picture of the form: shows, replaces and removes it. */
export function PictureOption({
  label,
  place,
  viewId,
  options,
  onPicture,
  shrink = smallPicture,
}: PictureOptionProps) {
  const { t, toast } = useHost();
  const field = useRef<HTMLInputElement>(null);
  const [isBusy, setBusy] = useState(false);
  const address = options[pictureOptions[place]];
  const isElsewhere = address.startsWith('https://');

  async function change(work: () => Promise<unknown>) {
    if (isBusy) return;
    setBusy(true);
    await work();
    setBusy(false);
  }

  function choose(file: File | undefined): Promise<void> {
    return change(async () => {
      if (file === undefined) return;
      const picture = await shrink(file, sizes[place]);
      if (picture !== undefined) return void (await onPicture(place, picture));
      toast({
        severity: 'error',
        summary: t('This file is no picture that can be shown'),
        detail: t('Choose a PNG, JPEG, WebP, GIF or SVG file.'),
      });
    });
  }

  const { isOver, handlers } = useFileDrop(([file]) => void choose(file));

  return (
    <div
      className="form-picture tr-field"
      role="group"
      aria-label={label}
      aria-busy={isBusy}
      data-over={isOver}
      {...handlers}
    >
      <span>{label}</span>
      <FormPicture key={address} className={`form-picture-${place}`} {...{ place, address, viewId }} />
      {isElsewhere && (
        <small className="tr-note">
          {t('{{address}} is not shown: pages load no pictures from other sites. Upload it instead.', {
            address,
          })}
        </small>
      )}
      <input
        ref={field}
        aria-label={t('File for: {{what}}', { what: label })}
        type="file"
        accept="image/png,image/jpeg,image/webp,image/gif,image/svg+xml"
        hidden
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          event.target.value = '';
          void choose(file);
        }}
      />
      <div className="form-picture-actions">
        <WorkButton isBusy={isBusy} onClick={() => field.current?.click()}>
          <i className={isBusy ? 'pi pi-spin pi-spinner' : 'pi pi-upload'} aria-hidden="true" />{' '}
          {address === '' ? t('Upload a picture') : t('Replace')}
        </WorkButton>
        {address !== '' && (
          <WorkButton isBusy={isBusy} onClick={() => void change(() => onPicture(place))}>
            {t('Take it away')}
          </WorkButton>
        )}
      </div>
    </div>
  );
}
