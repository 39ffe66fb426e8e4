/**
 * Keeps what is left of a pixel for the next step of boxes that are scrolled in small steps. Browsers round each step, so that one of less
 * than half a pixel would go nowhere. The library of drags scrolls by itself and asks first: a box that is asked for is followed.
 */
export class WholePixels {
  readonly #boxes = new Set<Element>();

  /** From now on the box goes by whole pixels, as many as its steps make together. */
  follow(box: Element): void {
    if (this.#boxes.has(box)) return;
    this.#boxes.add(box);
    const left = { x: 0, y: 0 };
    const scrollBy = box.scrollBy.bind(box) as (x: number, y: number) => void;
    box.scrollBy = ((x: number, y: number): void => {
      left.x += x;
      left.y += y;
      const [wholeX, wholeY] = [Math.trunc(left.x), Math.trunc(left.y)];
      left.x -= wholeX;
      left.y -= wholeY;
      if (wholeX !== 0 || wholeY !== 0) scrollBy(wholeX, wholeY);
    }) as Element['scrollBy'];
  }

  /** All boxes scroll again as those of others do. */
  release(): void {
    // Without a method of its own, a box has that of its prototype again.
    for (const box of this.#boxes) Reflect.deleteProperty(box, 'scrollBy');
    this.#boxes.clear();
  }
}
