import { useState } from 'react';
import { megabyte, type AttachedFile } from '../shared/index.ts';
import { hrefOf, iconName, shownKind } from './file-links.ts';

/** A larger picture is not loaded for the sake of a thumbnail. */
const largestThumbnail = 8 * megabyte;

/** A picture, small; the icon of its kind for any other file, and for a picture that cannot be read. */
export function FileThumb({ file }: { readonly file: AttachedFile }) {
  const [isBroken, setBroken] = useState(false);
  const isShown = shownKind(file) === 'picture' && (file.size ?? 0) <= largestThumbnail && !isBroken;
  if (!isShown) return <i className={`pi pi-${iconName(file)} ca-icon`} aria-hidden="true" />;
  return (
    <img
      className="ca-picture"
      src={hrefOf(file)}
      alt=""
      loading="lazy"
      decoding="async"
      draggable={false}
      onError={() => setBroken(true)}
    />
  );
}
