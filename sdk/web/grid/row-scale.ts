/**
 * Maps scroll positions to rows if the rows together are taller than a browser can lay out.
 *
 * A browser truncates an element at about 33 million pixels, and positions lose precision before that. So the scrolled element (the
 * spacer) is at most 15 million pixels high, and an offset is the difference between the rows' own coordinate and that of the
 * scroll bar. Small scrolls keep the offset, and so move the rows by exact pixels; when the position reaches another page, the
 * offset changes and the scroll bar is moved back by the difference, which is invisible; a jump with the scroll bar is
 * proportional. All lengths are pixels.
 */

/** The greatest height of the scrolled element: float32 transforms are exact to a pixel below 16.7 million. */
export const MAX_SPACER_HEIGHT = 15_000_000;
const PAGES_PER_SPACER = 100;

export interface RowScale {
  /** The height of the whole content. */
  readonly contentHeight: number;
  /** The height of the scrolled element. */
  readonly spacerHeight: number;
  readonly viewportHeight: number;
  readonly pageHeight: number;
  readonly pageCount: number;
  /** The difference of the offsets of two adjacent pages. */
  readonly jump: number;
}

/** A position in the content: `scrollTop + offset` is the content's coordinate at the top of the viewport. */
export interface ScrollPlace {
  readonly scrollTop: number;
  readonly offset: number;
}

export const TOP: ScrollPlace = { scrollTop: 0, offset: 0 };

export function createRowScale(contentHeight: number, viewportHeight: number): RowScale {
  const spacerHeight = Math.min(contentHeight, MAX_SPACER_HEIGHT);
  if (spacerHeight === contentHeight) {
    return {
      contentHeight,
      spacerHeight,
      viewportHeight,
      pageHeight: Math.max(1, contentHeight),
      pageCount: 1,
      jump: 0,
    };
  }
  const pageHeight = spacerHeight / PAGES_PER_SPACER;
  const pageCount = Math.floor(contentHeight / pageHeight);
  return {
    contentHeight,
    spacerHeight,
    viewportHeight,
    pageHeight,
    pageCount,
    jump: (contentHeight - spacerHeight) / (pageCount - 1),
  };
}

/** The content's coordinate at the top of the viewport. */
export function contentTop(place: ScrollPlace): number {
  return place.scrollTop + place.offset;
}

/** The position that shows the content from `top` on, clamped to the content. */
export function placeAt(scale: RowScale, top: number): ScrollPlace {
  const held = Math.max(0, Math.min(top, scale.contentHeight - scale.viewportHeight));
  const offset = offsetOfPage(scale, Math.floor(held / scale.pageHeight));
  return { scrollTop: held - offset, offset };
}

/**
 * The position after the browser reports a new scroll position. If its `scrollTop` differs from the reported one, the scroller must
 * be moved there.
 */
export function followScroll(scale: RowScale, before: ScrollPlace, scrollTop: number): ScrollPlace {
  if (scale.pageCount === 1) return { scrollTop, offset: 0 };
  const end = scale.spacerHeight - scale.viewportHeight;
  // At either end the scroll bar cannot move further, so the rows must not either.
  if (scrollTop <= 0) return { scrollTop, offset: 0 };
  if (scrollTop >= end) return { scrollTop, offset: scale.contentHeight - scale.spacerHeight };
  if (Math.abs(scrollTop - before.scrollTop) < scale.viewportHeight)
    return placeAt(scale, scrollTop + before.offset);
  const share = (scale.contentHeight - scale.viewportHeight) / end;
  return { scrollTop, offset: offsetOfPage(scale, Math.floor((scrollTop * share) / scale.pageHeight)) };
}

function offsetOfPage(scale: RowScale, page: number): number {
  return Math.round(Math.max(0, Math.min(page, scale.pageCount - 1)) * scale.jump);
}
