import { useState } from 'react';
import { mayHavePreview, megabyte, type AttachedFile, type PreviewSize } from '../shared/index.ts';
import { iconName, previewOf, shownKind } from './file-links.ts';

/** A larger picture is not loaded for the sake of a thumbnail. */
const largestThumbnail = 8 * megabyte;

export interface FileThumbProps {
  readonly file: AttachedFile;
  readonly size: PreviewSize;
}

/** A picture, small; the icon of its kind for any other file, and for a picture that cannot be read. */
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
