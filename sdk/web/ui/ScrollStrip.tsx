import { type HTMLAttributes, type ReactNode, useLayoutEffect, useRef, useState } from 'react';

/** Where a strip goes on out of sight. */
type More = 'none' | 'start' | 'end' | 'both';

/** A line that scrolls sideways where it has no room, and fades out at the edges where there is more. @public */
export function ScrollStrip({ className = '', ...rest }: HTMLAttributes<HTMLDivElement>): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const [more, setMore] = useState<More>('none');

  useLayoutEffect(() => {
    const strip = box.current;
    if (strip === null) return;
    const look = (): void => setMore(moreOf(strip));
    const sizes = new ResizeObserver(look);
    const observeAll = (): void => {
      sizes.disconnect();
      for (const element of [strip, ...strip.children]) sizes.observe(element);
      look();
    };
    // What comes and goes in the strip changes no size of its own.
    const children = new MutationObserver(observeAll);
    children.observe(strip, { childList: true });
    strip.addEventListener('scroll', look, { passive: true });
    observeAll();
    return () => {
      sizes.disconnect();
      children.disconnect();
      strip.removeEventListener('scroll', look);
    };
  }, []);

  return <div ref={box} {...rest} className={`tr-strip ${className}`} data-more={more} />;
}

/** From right to left the place is counted below 0. */
function moreOf({ scrollLeft, scrollWidth, clientWidth }: HTMLElement): More {
  const before = Math.abs(scrollLeft) > 1;
  const after = Math.abs(scrollLeft) + clientWidth < scrollWidth - 1;
  if (before && after) return 'both';
  return before ? 'start' : after ? 'end' : 'none';
}
