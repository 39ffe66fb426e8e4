import type { AttachedFile } from '@trellis/sdk/shared';
import { useState } from 'react';
import { mayHavePreview, megabyte, type PreviewSize } from '../shared/index.ts';
import { iconName, previewOf, shownKind } from './file-links.ts';

/** Larger pictures are not loaded for a thumbnail. */
const largestThumbnail = 8 * megabyte;

export interface FileThumbProps {
  readonly file: AttachedFile;
  readonly size: PreviewSize;
}

/** A thumbnail of a picture; for other files and unreadable pictures, the icon of their kind. */
export function FileThumb({ file, size }: FileThumbProps) {
  const [isBroken, setBroken] = useState(false);
  const isSmall = (file.size ?? 0) <= largestThumbnail || mayHavePreview(file);
  if (shownKind(file) !== 'picture' || !isSmall || isBroken)
    return <i className={`pi pi-${iconName(file)} ca-icon`} aria-hidden="true" />;
  return (
    <img
      className="ca-picture"
      src={previewOf(file, size)}
      alt=""
      loading="lazy"
      decoding="async"
      draggable={false}
      onError={() => setBroken(true)}
    />
  );
}
