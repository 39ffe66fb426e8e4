import { Emitter } from '@trellis/core';
import type { OpenTab, ShellContext, ShellView } from '@trellis/sdk/web';
import { settingsSlice } from '../store/settings-slice.ts';
import { onChange, type HostStore } from '../store/store.ts';
import type { ThemeController } from '../theme/theme-controller.ts';
import { isSameTab, tabsOf, tabsSlice, type ProjectTabs } from '../store/tabs-slice.ts';
import type { LeaveGuard } from './leave-guard.ts';

type Place = Pick<ShellContext, 'project' | 'table' | 'view' | 'rows'>;

const nowhere: Place = { project: undefined, table: undefined, view: undefined, rows: undefined };

/** What is open in the shell. The page holds the place (project, table, view, rows); the store holds tabs and appearance. */
export class ShellController implements ShellView {
  readonly #store: HostStore;
  readonly #theme: ThemeController;
  readonly #guard: LeaveGuard;
  readonly #changed = new Emitter<void>();
  readonly #opened = new Emitter<string>();
  readonly #openedTab = new Emitter<OpenTab>();
  readonly #rights = new Emitter<void>();
  #place: Place = nowhere;
  #settingsPanel: string | undefined;
  #context: ShellContext;

  readonly onDidChange = this.#changed.event;
  readonly onDidOpenTab = this.#openedTab.event;
  /** The id of the project whose workspace was opened. */
  readonly onDidOpenProject = this.#opened.event;
  /** The person's rights in the open project have changed. */
  readonly onDidChangeRights = this.#rights.event;

  constructor(store: HostStore, theme: ThemeController, guard: LeaveGuard) {
    this.#store = store;
    this.#theme = theme;
    this.#guard = guard;
    theme.onDidChange(() => this.#didChange());
    this.#context = this.#makeContext();
    onChange(
      store,
      ({ session, settings: { themeId }, tabs }) => ({ session, themeId, tabs }),
      () => this.#didChange(),
    );
  }

  /** A new object after every change of what `ShellView` shows, so that it serves as a snapshot. */
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
    return this.#theme.isDark;
  }

  get themeId(): string {
    return this.#store.getState().settings.themeId;
  }

  setContext(patch: Partial<Place>): void {
    const next = { ...this.#place, ...patch };
    const { project, table, view, rows } = this.#place;
    if (next.project === project && next.table === table && next.view === view && next.rows === rows) return;
    this.#place = next;
    this.#didChange();
    if (next.project !== undefined && next.project.id !== project?.id) this.#opened.fire(next.project.id);
    if (
      next.project !== undefined &&
      next.project.id === project?.id &&
      next.project.rights !== project.rights
    )
      this.#rights.fire();
  }

  openTab(tab: OpenTab): void {
    const projectId = this.#place.project?.id;
    if (projectId === undefined) return;
    const { active } = this.#tabs;
    const leaves =
      active !== undefined &&
      !(isSameTab(active, tab) && (tab.view === undefined || active.view === tab.view));
    const open = (): void => {
      this.#store.dispatch(tabsSlice.actions.opened({ projectId, tab }));
      this.#openedTab.fire(tab);
    };
    if (leaves) this.#guard.leave(open);
    else open();
  }

  closeTab(tab: OpenTab): void {
    const projectId = this.#place.project?.id;
    if (projectId === undefined) return;
    const { active } = this.#tabs;
    const close = (): void => {
      this.#store.dispatch(tabsSlice.actions.closed({ projectId, tab }));
    };
    if (active !== undefined && isSameTab(active, tab)) this.#guard.leave(close);
    else close();
  }

  nameTabs(type: string, names: ReadonlyMap<string, string>): void {
    const projectId = this.#place.project?.id;
    if (projectId !== undefined) this.#store.dispatch(tabsSlice.actions.named({ projectId, type, names }));
  }

  /** The open panel of the settings dialog; undefined while it is closed. */
  get settingsPanel(): string | undefined {
    return this.#settingsPanel;
  }

  openSettings(panelId = 'host.appearance'): void {
    this.#settingsPanel = panelId;
    this.#didChange();
  }

  closeSettings(): void {
    this.#settingsPanel = undefined;
    this.#didChange();
  }

  setDark(dark: boolean): void {
    this.#store.dispatch(settingsSlice.actions.changed({ mode: dark ? 'dark' : 'light' }));
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
