import { Emitter } from '@trellis/core';
import type { OpenTab, ShellContext, ShellView } from '@trellis/sdk/web';
import { settingsSlice } from '../store/settings-slice.ts';
import { onChange, type HostStore } from '../store/store.ts';
import { tabsOf, tabsSlice, type ProjectTabs } from '../store/tabs-slice.ts';

type Place = Pick<ShellContext, 'project' | 'table' | 'view'>;

const nowhere: Place = { project: undefined, table: undefined, view: undefined };

/** What is open in the shell. The place (project, table, view) is the page's; tabs and looks are the store's. */
export class ShellController implements ShellView {
  readonly #store: HostStore;
  readonly #changed = new Emitter<void>();
  readonly #opened = new Emitter<string>();
  #place: Place = nowhere;
  #context: ShellContext;

  readonly onDidChange = this.#changed.event;
  /** The id of the project whose workspace was opened. */
  readonly onDidOpenProject = this.#opened.event;

  constructor(store: HostStore) {
    this.#store = store;
    this.#context = this.#makeContext();
    onChange(
      store,
      ({ session, settings, tabs }) => ({ session, settings, tabs }),
      () => this.#didChange(),
    );
  }

  /** Another object after every change of what `ShellView` shows, so that it serves as a snapshot. */
  get context(): ShellContext {
    return this.#context;
  }

  get tabs(): readonly OpenTab[] {
    return this.#tabs.open;
  }

  get activeTab(): OpenTab | undefined {
    return this.#tabs.active;
  }

  get dark(): boolean {
    return this.#store.getState().settings.dark;
  }

  get themeId(): string {
    return this.#store.getState().settings.themeId;
  }

  setContext(patch: Partial<Place>): void {
    const next = { ...this.#place, ...patch };
    const { project, table, view } = this.#place;
    if (next.project === project && next.table === table && next.view === view) return;
    this.#place = next;
    this.#didChange();
    if (next.project !== undefined && next.project.id !== project?.id) this.#opened.fire(next.project.id);
  }

  openTab(tab: OpenTab): void {
    const projectId = this.#place.project?.id;
    if (projectId !== undefined) this.#store.dispatch(tabsSlice.actions.opened({ projectId, tab }));
  }

  closeTab(tab: OpenTab): void {
    const projectId = this.#place.project?.id;
    if (projectId !== undefined) this.#store.dispatch(tabsSlice.actions.closed({ projectId, tab }));
  }

  setDark(dark: boolean): void {
    this.#store.dispatch(settingsSlice.actions.changed({ dark }));
  }

  setTheme(themeId: string): void {
    this.#store.dispatch(settingsSlice.actions.changed({ themeId }));
  }

  get #tabs(): ProjectTabs {
    return tabsOf(this.#store.getState().tabs, this.#place.project?.id);
  }

  #makeContext(): ShellContext {
    const { status, user } = this.#store.getState().session;
    return { ...this.#place, signedIn: status === 'signedIn', superAdmin: user?.roles.super === true };
  }

  #didChange(): void {
    this.#context = this.#makeContext();
    this.#changed.fire();
  }
}
