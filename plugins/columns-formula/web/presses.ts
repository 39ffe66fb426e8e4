import type { ApiClient } from '@trellis/sdk/web';
import { type Pressed, pressButton } from './press-button.ts';

/**
 * The running presses. They belong to a column and a row, not to a drawn button, so that a button that scrolls away and back cannot
 * be pressed again meanwhile.
 */
export class Presses {
  readonly #api: ApiClient;
  readonly #underWay = new Set<string>();
  readonly #listeners = new Set<() => void>();

  constructor(api: ApiClient) {
    this.#api = api;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  isUnderWay(columnId: string, rowKey: string): boolean {
    return this.#underWay.has(keyOf(columnId, rowKey));
  }

  /** Presses a button; does nothing while a press of it is running. */
  async press(on: Pressed): Promise<void> {
    const key = keyOf(on.column.id, on.rowKey);
    if (this.#underWay.has(key)) return;
    this.#underWay.add(key);
    this.#tell();
    try {
      await pressButton(this.#api, on);
    } finally {
      this.#underWay.delete(key);
      this.#tell();
    }
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

function keyOf(columnId: string, rowKey: string): string {
  return `${columnId} ${rowKey}`;
}
