import { useLayoutEffect, useRef, type RefObject } from 'react';

interface Striped {
  readonly id: string;
  /** The stripe's colour at the start of the entry; undefined for none. */
  readonly extendedProps: { readonly stripe: string | undefined };
}

/** The stripes at the edge of entries, which the calendar library does not support. */
interface Stripes {
  /** The element that contains the entries. */
  readonly box: RefObject<HTMLDivElement | null>;
  onDrawn(this: void, element: HTMLElement, id: string): void;
}

/** Keeps each entry's stripe the same as its row's, whenever it was drawn. */
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
