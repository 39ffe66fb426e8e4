import { useServerData } from '@trellis/sdk/web';
import { useState } from 'react';
import { picturePath, type PicturePlace } from '../shared/index.ts';

export interface FormPictureProps {
  readonly className: string;
  readonly place: PicturePlace;
  readonly address: string;
  /** The form's id, for members; undefined for strangers, who read its pictures by their addresses. */
  readonly viewId: string | undefined;
}

/** A form's banner or logo. If it cannot be read, nothing is drawn: pages load no pictures from other sites. */
export function FormPicture({ className, place, address, viewId }: FormPictureProps) {
  const [isAbsent, setAbsent] = useState(false);
  const isOwn = viewId !== undefined && address.startsWith(picturePath);
  const { data } = useServerData<{ readonly picture: string }>(
    isOwn
      ? {
          path: `/api/v1/db/meta/forms/${encodeURIComponent(viewId)}/pictures/${place}`,
          // Another picture has another address, so it is read again.
          query: { address },
        }
      : undefined,
  );
  const source = isOwn ? data?.picture : address;
  if (source === undefined || source === '' || source.startsWith('https://') || isAbsent) return null;
  return <img className={className} src={source} alt="" onError={() => setAbsent(true)} />;
}
