import { Emitter, type Clock } from '@trellis/core';
import type { ToastMessage } from '@trellis/sdk/web';

export interface ShownToast extends ToastMessage {
  readonly id: number;
}

/** Default durations in milliseconds: the long one is for errors and for toasts with details, which take time to read. */
const [glance, reading] = [3000, 8000];
const capacity = 5;
/** Milliseconds. Toasts that last this long contain text that somebody typed, or has to read or copy. */
const longLife = 10_000;

/** The page's current toasts. */
export class ToastCenter {
  readonly #clock: Clock;
  readonly #changed = new Emitter<void>();
  #items: readonly ShownToast[] = [];
  #nextId = 1;

  readonly onDidChange = this.#changed.event;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Newest last; the same array until something changes. */
  list(): readonly ShownToast[] {
    return this.#items;
  }

  show(message: ToastMessage): void {
    const others = this.#items.filter((item) => !isReplaced(item, message));
    const toast = { ...message, id: this.#nextId };
    this.#nextId += 1;
    this.#set(fitting([...others, toast]));
    this.#clock.after(lifeOf(message), () => this.close(toast.id));
  }

  close(id: number): void {
    if (this.#items.some((item) => item.id === id)) this.#set(this.#items.filter((item) => item.id !== id));
  }

  #set(items: readonly ShownToast[]): void {
    this.#items = items;
    this.#changed.fire();
  }
}

/** Whether the next message says the same, or something newer of the same subject. */
function isReplaced(shown: ToastMessage, next: ToastMessage): boolean {
  if (next.subject !== undefined && shown.subject === next.subject) return true;
  return shown.summary === next.summary && shown.detail === next.detail && shown.severity === next.severity;
}

function lifeOf({ life, severity, detail }: ToastMessage): number {
  return life ?? (severity === 'error' || detail !== undefined ? reading : glance);
}

/**
 * Chooses which toasts stay when there are too many: the newest, and older ones with an action or a long life. Of the others, the
 * oldest are removed.
 */
function fitting(items: readonly ShownToast[]): readonly ShownToast[] {
  let surplus = items.length - capacity;
  return items.filter((item, at) => {
    const goes = surplus > 0 && at < items.length - 1 && item.action === undefined && lifeOf(item) < longLife;
    if (goes) surplus -= 1;
    return !goes;
  });
}
