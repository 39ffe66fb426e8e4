import { createSlice, type PayloadAction } from '@reduxjs/toolkit';

/** Light or dark as a person chose it, or as their system is. */
export type ColourMode = 'system' | 'light' | 'dark';

/** What a person chose in the settings dialog; mirrored to local storage. */
export interface SettingsState {
  readonly mode: ColourMode;
  readonly themeId: string;
  /** Tokens of the theme 'custom', for light and for dark. */
  readonly customTheme: {
    readonly light: Readonly<Record<string, string>>;
    readonly dark: Readonly<Record<string, string>>;
  };
  /** A locale's id, or `browser`: the first language of the browser that the page has. */
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
