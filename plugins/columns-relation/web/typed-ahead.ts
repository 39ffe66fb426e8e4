/**
 * Collects what a person types between the press that opens a dialog and the moment its field takes over: the dialog's code and
 * table load first, and people do not wait. Keys with a modifier and those of an input method are left alone.
 */
export class TypedAhead {
  #text: string;

  constructor(text: string) {
    this.#text = text;
    window.addEventListener('keydown', this.#onKey, true);
    // A person who presses elsewhere no longer waits for the dialog.
    window.addEventListener('pointerdown', this.end, true);
  }

  /** Passes the typed text to the field, which receives the keys itself from now on. */
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
    // Otherwise the key would change the cell behind the dialog.
    event.preventDefault();
    event.stopPropagation();
  };
}
