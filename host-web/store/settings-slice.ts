import { createSlice, type PayloadAction } from '@reduxjs/toolkit';

/** What a person chose in the settings dialog; mirrored to local storage. */
export interface SettingsState {
  readonly dark: boolean;
  readonly themeId: string;
  /** Tokens of the theme 'custom'. */
  readonly customTheme: Readonly<Record<string, string>>;
  readonly language: string;
  readonly checkForUpdate: boolean;
  readonly sideBarWidth: number;
}

export const defaultSettings: SettingsState = {
  dark: false,
  themeId: 'default',
  customTheme: {},
  language: 'en',
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
