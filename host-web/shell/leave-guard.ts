import {
  arrivedElsewhere,
  giveUpUnsaved,
  losesByLeaving,
  losesByLeavingPage,
  ownLossQuestion,
  type ConfirmQuestion,
  type Translate,
} from '@trellis/sdk/web';

interface LeaveGuardParts {
  readonly confirm: (question: ConfirmQuestion) => Promise<boolean>;
  readonly translate: Translate;
}

/** Asks before the open tab, view or address is left, or all of the page, as long as `askBeforeLeaving` says that something would be lost. */
export class LeaveGuard {
  readonly #parts: LeaveGuardParts;
  #asking: Promise<boolean> | undefined;

  constructor(parts: LeaveGuardParts) {
    this.#parts = parts;
  }

  get isNeeded(): boolean {
    return losesByLeaving();
  }

  /** Goes at once where nothing is lost, else when the person agrees. */
  leave(go: () => void): void {
    if (!this.isNeeded) return go();
    void this.ask().then((goes) => {
      if (!goes) return;
      this.giveUp();
      go();
    });
  }

  /** Resolves to whether all of the page may be left, such as by signing out: with it goes what outlives a place. */
  async leavesPage(): Promise<boolean> {
    if (!losesByLeavingPage()) return true;
    const goes = await this.ask();
    if (goes) this.giveUp();
    return goes;
  }

  /** What is unsaved is lost now: nothing more is asked about it. */
  giveUp(): void {
    giveUpUnsaved();
  }

  /** Another place is shown: what was given up went with the one before, and what is still there is asked about again. */
  arrived(): void {
    arrivedElsewhere();
  }

  /** Resolves to whether the place may be left; one question at a time. Whoever leaves it then says so by `giveUp`. */
  ask(): Promise<boolean> {
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  #ask(): Promise<boolean> {
    const { confirm, translate: t } = this.#parts;
    return confirm(
      ownLossQuestion() ?? {
        title: t('Leave without saving?'),
        message: t('What you entered here is not saved yet, and is lost.'),
        confirmLabel: t('Leave'),
        danger: true,
      },
    );
  }
}
