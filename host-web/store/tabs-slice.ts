import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { OpenTab } from '@trellis/sdk/web';
import { sessionSlice } from './session-slice.ts';

export const maxOpenTabs = 8;
const maxProjects = 20;

/** A project's tabs, oldest first. */
export interface ProjectTabs {
  readonly open: readonly OpenTab[];
  readonly active: OpenTab | undefined;
}

export interface TabsState {
  /** The id of the user who owns these tabs; another user never sees them. */
  readonly owner?: string;
  readonly byProject: Readonly<Record<string, ProjectTabs>>;
}

const none: ProjectTabs = { open: [], active: undefined };
export const noTabs: TabsState = { byProject: {} };

export function isSameTab(left: OpenTab | undefined, right: OpenTab | undefined): boolean {
  return left?.type === right?.type && left?.key === right?.key;
}

export function tabsOf(state: TabsState, projectId: string | undefined): ProjectTabs {
  return (projectId === undefined ? undefined : state.byProject[projectId]) ?? none;
}

function opened({ open }: ProjectTabs, tab: OpenTab): ProjectTabs {
  const known = open.some((other) => isSameTab(other, tab));
  // Fields that are not given, such as the view, stay as they were.
  const merged = { ...open.find((other) => isSameTab(other, tab)), ...tab };
  const all = known ? open.map((other) => (isSameTab(other, tab) ? merged : other)) : [...open, tab];
  return { open: all.slice(-maxOpenTabs), active: merged };
}

function named(tabs: ProjectTabs, type: string, names: ReadonlyMap<string, string>): ProjectTabs {
  const rename = (tab: OpenTab): OpenTab => {
    const name = tab.type === type ? names.get(tab.key) : undefined;
    return name === undefined || name === tab.name ? tab : { ...tab, name };
  };
  const open = tabs.open.map(rename);
  if (open.every((tab, index) => tab === tabs.open[index])) return tabs;
  return { open, active: tabs.active && rename(tabs.active) };
}

/** After the active tab is closed, its neighbour is shown: the next one, or else the previous one. */
function closed({ open, active }: ProjectTabs, tab: OpenTab): ProjectTabs {
  const index = open.findIndex((other) => isSameTab(other, tab));
  const rest = open.filter((other) => !isSameTab(other, tab));
  return { open: rest, active: isSameTab(active, tab) ? (rest[index] ?? rest[index - 1]) : active };
}

interface NamesAction {
  readonly projectId: string;
  readonly type: string;
  readonly names: ReadonlyMap<string, string>;
}

interface TabAction {
  readonly projectId: string;
  readonly tab: OpenTab;
}

function replace(state: TabsState, projectId: string, tabs: ProjectTabs): TabsState {
  const others = Object.entries(state.byProject).filter(([id]) => id !== projectId);
  const kept = others.slice(-(maxProjects - 1));
  return { ...state, byProject: { ...Object.fromEntries(kept), [projectId]: tabs } };
}

export const tabsSlice = createSlice({
  name: 'tabs',
  initialState: noTabs,
  reducers: {
    opened: (state, { payload: { projectId, tab } }: PayloadAction<TabAction>): TabsState =>
      replace(state, projectId, opened(tabsOf(state, projectId), tab)),
    closed: (state, { payload: { projectId, tab } }: PayloadAction<TabAction>): TabsState =>
      replace(state, projectId, closed(tabsOf(state, projectId), tab)),
    named: (state, { payload: { projectId, type, names } }: PayloadAction<NamesAction>): TabsState => {
      const before = tabsOf(state, projectId);
      const after = named(before, type, names);
      return after === before ? state : replace(state, projectId, after);
    },
    /** Somebody signed out for good: the next person must not see what was open. */
    forgotten: (): TabsState => noTabs,
  },
  extraReducers: (builder) => {
    builder.addCase(sessionSlice.actions.started, (state, { payload: { id } }): TabsState =>
      state.owner === id ? state : { ...noTabs, owner: id },
    );
  },
});
