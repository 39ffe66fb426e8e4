/**
 * Keeps what a person types from the press that opens a dialog until its field takes it over: the dialog comes when its code and its
 * table are read, and people do not wait. Keys with a modifier, and those of an input method, go their way.
 */
export class TypedAhead {
  #text: string;

  constructor(text: string) {
    this.#text = text;
    window.addEventListener('keydown', this.#onKey, true);
    // Whoever presses elsewhere does not wait for the dialog, which may never come.
    window.addEventListener('pointerdown', this.end, true);
  }

  /** Gives what was typed to the field, which hears the keys itself from now on. */
  handOver(take: (text: string) => void): void {
    this.end();
    take(this.#text);
  }

  readonly end = (): void => {
    window.removeEventListener('keydown', this.#onKey, true);
    window.removeEventListener('pointerdown', this.end, true);
  };

  readonly #onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') return this.end();
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.key === 'Backspace') this.#text = Array.from(this.#text).slice(0, -1).join('');
    else if (Array.from(event.key).length === 1) this.#text += event.key;
    else if (event.key !== 'Enter' && event.key !== 'Delete' && event.key !== 'Tab') return;
    // Otherwise it would change the cell behind the dialog.
    event.preventDefault();
    event.stopPropagation();
  };
}
