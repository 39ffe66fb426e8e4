import { type HTMLAttributes, type ReactNode, useLayoutEffect, useRef, useState } from 'react';

/** On which sides the strip has hidden content. */
type More = 'none' | 'start' | 'end' | 'both';

/** A line that scrolls sideways if it has no room, and fades out at edges with hidden content. @public */
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
    // Changes of the children do not change the strip's own size.
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

/** In a right-to-left page the position is negative. */
function moreOf({ scrollLeft, scrollWidth, clientWidth }: HTMLElement): More {
  const before = Math.abs(scrollLeft) > 1;
  const after = Math.abs(scrollLeft) + clientWidth < scrollWidth - 1;
  if (before && after) return 'both';
  return before ? 'start' : after ? 'end' : 'none';
}
