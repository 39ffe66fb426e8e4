import { useLayoutEffect, useRef, type RefObject } from 'react';

interface Striped {
  readonly id: string;
  /** The colour of the stripe where the entry begins; undefined for none. */
  readonly extendedProps: { readonly stripe: string | undefined };
}

/** The stripes at the edge of entries, which the calendar itself knows nothing of. */
interface Stripes {
  /** What holds the entries. */
  readonly box: RefObject<HTMLDivElement | null>;
  onDrawn(this: void, element: HTMLElement, id: string): void;
}

/** Keeps the stripe of each entry as its row has it, drawn now or before. */
export function useStripes(entries: readonly Striped[]): Stripes {
  const box = useRef<HTMLDivElement>(null);
  const latest = useRef(entries);
  useLayoutEffect(() => {
    latest.current = entries;
    const colors = new Map(entries.map(({ id, extendedProps }) => [id, extendedProps.stripe]));
    for (const element of box.current?.querySelectorAll<HTMLElement>('[data-entry]') ?? [])
      paint(element, colors.get(element.dataset.entry ?? ''));
  }, [entries]);
  return {
    box,
    onDrawn(element, id) {
      element.dataset.entry = id;
      paint(element, latest.current.find((entry) => entry.id === id)?.extendedProps.stripe);
    },
  };
}

function paint(element: HTMLElement, color: string | undefined): void {
  if (color === undefined) {
    delete element.dataset.rowColor;
    element.style.removeProperty('--tr-row-color');
  } else {
    element.dataset.rowColor = 'stripe';
    element.style.setProperty('--tr-row-color', color);
  }
}
