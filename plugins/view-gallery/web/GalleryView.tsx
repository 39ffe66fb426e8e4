import type { ViewProps } from '@trellis/sdk/web';
import { useCardRows } from '@trellis/sdk/web/cards';
import { useOwnLook, ViewFailure } from '@trellis/sdk/web/views';
import { useMemo, type ReactNode } from 'react';
import { Gallery } from './Gallery.tsx';
import './gallery.css';
import { useAutomaticCover } from './use-automatic-cover.ts';

/** The view type `gallery`: reads the view's columns, and draws its rows as cards. */
export default function GalleryView(props: ViewProps): ReactNode {
  const figures = useAutomaticCover(props);
  // The view's own cover is read with it.
  const ownCover = useOwnLook('options', props)?.options.coverId;
  const also = useMemo(
    () => (typeof ownCover === 'string' && ownCover !== '' ? [ownCover] : undefined),
    [ownCover],
  );
  const of = useCardRows(props, { figures, also });
  const { columns, error, refetch } = of.inView;
  if (columns !== undefined)
    return <Gallery key={props.view.id} {...props} {...{ of, figures }} inView={columns} />;
  if (error === undefined) return <div className="gallery" aria-busy="true" />;
  return <ViewFailure error={error} onRetry={refetch} />;
}
