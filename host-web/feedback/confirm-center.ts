import { Emitter } from '@trellis/core';
import type { ConfirmQuestion } from '@trellis/sdk/web';

export interface PendingQuestion {
  readonly question: ConfirmQuestion;
  answer(confirmed: boolean | Promise<boolean>): void;
}

/** Questions that wait for an answer; the page shows one at a time. */
export class ConfirmCenter {
  readonly #changed = new Emitter<void>();
  #pending: readonly PendingQuestion[] = [];

  readonly onDidChange = this.#changed.event;

  current(): PendingQuestion | undefined {
    return this.#pending[0];
  }

  ask(question: ConfirmQuestion): Promise<boolean> {
    return new Promise((resolve) => {
      const pending: PendingQuestion = {
        question,
        answer: (confirmed) => {
          this.#set(this.#pending.filter((other) => other !== pending));
          resolve(confirmed);
        },
      };
      this.#set([...this.#pending, pending]);
    });
  }

  /** Answers every open question with no: the person who was asked is gone. */
  dismiss(): void {
    for (const pending of this.#pending) pending.answer(false);
  }

  #set(pending: readonly PendingQuestion[]): void {
    this.#pending = pending;
    this.#changed.fire();
  }
}
