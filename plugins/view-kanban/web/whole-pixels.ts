/**
 * Accumulates fractions of a pixel for boxes that scroll in small steps. Browsers round each step, so steps below half a pixel
 * would have no effect. The drag library scrolls by itself and asks before it scrolls a box; each of these boxes is followed.
 */
export class WholePixels {
  readonly #boxes = new Set<Element>();

  /** From now on the box scrolls by whole pixels, as many as its steps add up to. */
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

  /** Restores the usual scrolling of all boxes. */
  release(): void {
    // Without its own method, a box uses that of its prototype again.
    for (const box of this.#boxes) Reflect.deleteProperty(box, 'scrollBy');
    this.#boxes.clear();
  }
}
