import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { OpenTab } from '@trellis/sdk/web';

export const maxOpenTabs = 8;
const maxProjects = 20;

/** The tabs of one project, oldest first. */
export interface ProjectTabs {
  readonly open: readonly OpenTab[];
  readonly active: OpenTab | undefined;
}

export interface TabsState {
  readonly byProject: Readonly<Record<string, ProjectTabs>>;
}

const none: ProjectTabs = { open: [], active: undefined };
const initialState = { byProject: {} } as TabsState;

export function isSameTab(left: OpenTab | undefined, right: OpenTab | undefined): boolean {
  return left?.type === right?.type && left?.key === right?.key;
}

export function tabsOf(state: TabsState, projectId: string | undefined): ProjectTabs {
  return (projectId === undefined ? undefined : state.byProject[projectId]) ?? none;
}

function opened({ open }: ProjectTabs, tab: OpenTab): ProjectTabs {
  const known = open.some((other) => isSameTab(other, tab));
  const all = known ? open.map((other) => (isSameTab(other, tab) ? tab : other)) : [...open, tab];
  return { open: all.slice(-maxOpenTabs), active: tab };
}

/** Closing the active tab shows its neighbour: the next one, or else the one before. */
function closed({ open, active }: ProjectTabs, tab: OpenTab): ProjectTabs {
  const index = open.findIndex((other) => isSameTab(other, tab));
  const rest = open.filter((other) => !isSameTab(other, tab));
  return { open: rest, active: isSameTab(active, tab) ? (rest[index] ?? rest[index - 1]) : active };
}

interface TabAction {
  readonly projectId: string;
  readonly tab: OpenTab;
}

function replace(state: TabsState, projectId: string, tabs: ProjectTabs): TabsState {
  const others = Object.entries(state.byProject).filter(([id]) => id !== projectId);
  const kept = others.slice(-(maxProjects - 1));
  return { byProject: { ...Object.fromEntries(kept), [projectId]: tabs } };
}

export const tabsSlice = createSlice({
  name: 'tabs',
  initialState,
  reducers: {
    opened: (state, { payload: { projectId, tab } }: PayloadAction<TabAction>): TabsState =>
      replace(state, projectId, opened(tabsOf(state, projectId), tab)),
    closed: (state, { payload: { projectId, tab } }: PayloadAction<TabAction>): TabsState =>
      replace(state, projectId, closed(tabsOf(state, projectId), tab)),
  },
});
