import type { Theme } from '@trellis/sdk/web';

/** The style sheet's own primary colour, for the default theme's swatch while another theme is active. */
export const defaultPrimary = { light: '#1348ba', dark: '#0989ff' };

/** The default theme is the style sheet itself; the others change its accents. */
export const builtInThemes: readonly Theme[] = [
  { id: 'default', label: 'Default', light: {}, dark: {} },
  {
    id: 'orange',
    label: 'Orange',
    light: { primary: '#b04a00', secondary: '#6b5340', accent: '#1d6a86', info: '#2a6596' },
    dark: { primary: '#ff9a4d', secondary: '#c9b09a', accent: '#63bfe0', info: '#7cb8ea' },
  },
  {
    id: 'strawberry',
    label: 'Strawberry',
    light: { primary: '#c0174f', secondary: '#6d4655', accent: '#2c6e49', info: '#3a62a0' },
    dark: { primary: '#ff7fa6', secondary: '#d3a9b8', accent: '#72cf9a', info: '#8db4f2' },
  },
  {
    id: 'grapes',
    label: 'Grapes',
    light: { primary: '#6a2c91', secondary: '#574a66', accent: '#2e6f57', info: '#3d5fa8' },
    dark: { primary: '#c79bea', secondary: '#b8aac9', accent: '#6cc7a3', info: '#93b3f5' },
  },
];
