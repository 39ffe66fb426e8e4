import type { OpenTab } from '@trellis/sdk/web';
import { asRecord } from '../base/as-record.ts';
import { defaultSettings, type SettingsState } from './settings-slice.ts';
import { noTabs, type ProjectTabs, type TabsState } from './tabs-slice.ts';

/** The part of the state that survives a reload. It contains no token, and never may. */
export interface MirroredState {
  readonly settings: SettingsState;
  readonly tabs: TabsState;
}

/** Increase it when the shape changes in a way that `readMirrored` cannot handle. */
const version = 1;

type Fields = Readonly<Record<string, unknown>>;

/** The state as it is stored. `public/boot-theme.js` reads it too, before the first paint. */
export function writeMirrored(state: MirroredState): string {
  return JSON.stringify({ version, ...state });
}

/** Reads the stored state as far as it has the expected shape; the rest gets defaults. A newer version is not read. */
export function readMirrored(text: string): Partial<MirroredState> {
  const kept = asRecord(parsed(text));
  if (kept.version !== undefined && kept.version !== version) return {};
  return { settings: readSettings(asRecord(kept.settings)), tabs: readTabs(asRecord(kept.tabs)) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Another program wrote there; the next write repairs it.
  }
}

function readSettings(kept: Fields): SettingsState {
  const { mode, themeId, customTheme, language, checkForUpdate, sideBarWidth } = kept;
  const custom = asRecord(customTheme);
  const isMode = mode === 'system' || mode === 'light' || mode === 'dark';
  return {
    // Before modes existed, `dark` said whether somebody had switched to it.
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

/** An array with one tab, or none. */
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
