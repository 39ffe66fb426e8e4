import { createSlice, type PayloadAction } from '@reduxjs/toolkit';

/** Light or dark by a person's choice, or as the system is set. */
export type ColourMode = 'system' | 'light' | 'dark';

/** A person's choices in the settings dialog; mirrored to local storage. */
export interface SettingsState {
  readonly mode: ColourMode;
  readonly themeId: string;
  /** The tokens of the theme 'custom', for light and for dark. */
  readonly customTheme: {
    readonly light: Readonly<Record<string, string>>;
    readonly dark: Readonly<Record<string, string>>;
  };
  /** A locale's id, or `browser`: the browser's first language that the page has. */
  readonly language: string;
  readonly checkForUpdate: boolean;
  /** Pixels. */
  readonly sideBarWidth: number;
}

export const defaultSettings: SettingsState = {
  mode: 'system',
  themeId: 'default',
  customTheme: { light: {}, dark: {} },
  language: 'browser',
  checkForUpdate: true,
  sideBarWidth: 256,
};

export const settingsSlice = createSlice({
  name: 'settings',
  initialState: defaultSettings,
  reducers: {
    changed: (state, { payload }: PayloadAction<Partial<SettingsState>>) => ({ ...state, ...payload }),
  },
});
