import { Emitter } from '@trellis/core';

/** Whether the settings dialog is open, and at which panel. */
class SettingsDialogState {
  readonly #changed = new Emitter<void>();
  #panelId: string | undefined;

  readonly onDidChange = this.#changed.event;

  /** The open panel's id; undefined while the dialog is closed. */
  panel(): string | undefined {
    return this.#panelId;
  }

  open(panelId = 'host.appearance'): void {
    this.#panelId = panelId;
    this.#changed.fire();
  }

  close(): void {
    this.#panelId = undefined;
    this.#changed.fire();
  }
}

export const settingsDialog = new SettingsDialogState();
