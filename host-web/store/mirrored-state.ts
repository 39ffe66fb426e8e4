import type { OpenTab } from '@trellis/sdk/web';
import { asRecord } from '../base/as-record.ts';
import { defaultSettings, type SettingsState } from './settings-slice.ts';
import { noTabs, type ProjectTabs, type TabsState } from './tabs-slice.ts';

/** The part of the state that survives a reload. There is no token in it, and there must never be one. */
export interface MirroredState {
  readonly settings: SettingsState;
  readonly tabs: TabsState;
}

/** Rises with each change of the shape that `readMirrored` does not mend by itself. */
const version = 1;

type Fields = Readonly<Record<string, unknown>>;

/** The state as it is kept. `public/boot-theme.js` reads it as well, before the first paint. */
export function writeMirrored(state: MirroredState): string {
  return JSON.stringify({ version, ...state });
}

/** What was kept, as far as it has the shape that the page relies on; the rest has its default. A newer version is not read. */
export function readMirrored(text: string): Partial<MirroredState> {
  const kept = asRecord(parsed(text));
  if (kept.version !== undefined && kept.version !== version) return {};
  return { settings: readSettings(asRecord(kept.settings)), tabs: readTabs(asRecord(kept.tabs)) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Someone else wrote there; the next write repairs it.
  }
}

function readSettings(kept: Fields): SettingsState {
  const { mode, themeId, customTheme, language, checkForUpdate, sideBarWidth } = kept;
  const custom = asRecord(customTheme);
  const isMode = mode === 'system' || mode === 'light' || mode === 'dark';
  return {
    // Before there were modes, `dark` said whether somebody had switched to it.
    mode: isMode ? mode : kept.dark === true ? 'dark' : defaultSettings.mode,
    themeId: typeof themeId === 'string' ? themeId : defaultSettings.themeId,
    customTheme: { light: texts(custom.light), dark: texts(custom.dark) },
    language: typeof language === 'string' ? language : defaultSettings.language,
    checkForUpdate: typeof checkForUpdate === 'boolean' ? checkForUpdate : defaultSettings.checkForUpdate,
    sideBarWidth: isWidth(sideBarWidth) ? sideBarWidth : defaultSettings.sideBarWidth,
  };
}

function readTabs({ owner, byProject }: Fields): TabsState {
  if (typeof owner !== 'string') return noTabs;
  const entries = Object.entries(asRecord(byProject)).map(([id, tabs]) => [id, readProject(asRecord(tabs))]);
  return { owner, byProject: Object.fromEntries(entries) as TabsState['byProject'] };
}

function readProject({ open, active }: Fields): ProjectTabs {
  const tabs = Array.isArray(open) ? open.flatMap(readTab) : [];
  const [shown] = readTab(active);
  return { open: tabs, active: tabs.find(({ type, key }) => type === shown?.type && key === shown.key) };
}

/** One tab, or none. */
function readTab(kept: unknown): readonly OpenTab[] {
  const { type, key, name, view } = asRecord(kept);
  if (typeof type !== 'string' || typeof key !== 'string' || typeof name !== 'string') return [];
  return [{ type, key, name, ...(typeof view === 'string' && { view }) }];
}

function texts(value: unknown): Readonly<Record<string, string>> {
  const entries = Object.entries(asRecord(value)).filter(([, text]) => typeof text === 'string');
  return Object.fromEntries(entries) as Record<string, string>;
}

function isWidth(value: unknown): value is number {
  return typeof value === 'number' && value >= 100 && value <= 1000;
}
