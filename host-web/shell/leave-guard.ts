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

/** Asks before the open tab, view or address, or the whole page is left, while `askBeforeLeaving` reports something unsaved. */
export class LeaveGuard {
  readonly #parts: LeaveGuardParts;
  #asking: Promise<boolean> | undefined;

  constructor(parts: LeaveGuardParts) {
    this.#parts = parts;
  }

  get isNeeded(): boolean {
    return losesByLeaving();
  }

  /** Calls `go` at once if nothing would be lost; otherwise when the person agrees. */
  leave(go: () => void): void {
    if (!this.isNeeded) return go();
    void this.ask().then((goes) => {
      if (!goes) return;
      this.giveUp();
      go();
    });
  }

  /**
   * Resolves to whether the whole page may be left, such as by signing out. Leaving it also loses what survives a change of place.
   */
  async leavesPage(): Promise<boolean> {
    if (!losesByLeavingPage()) return true;
    const goes = await this.ask();
    if (goes) this.giveUp();
    return goes;
  }

  /** The unsaved changes are being discarded: do not ask about them again. */
  giveUp(): void {
    giveUpUnsaved();
  }

  /** Another place is shown: what was discarded is gone with the former place, and what still exists is asked about again. */
  arrived(): void {
    arrivedElsewhere();
  }

  /** Resolves to whether the place may be left; asks one question at a time. A caller that then leaves must call `giveUp`. */
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
