import type { Theme } from '@trellis/sdk/web';

/** Custom properties without their prefix `--trellis-`; what is left out stays as it is in the default theme. */
export const theme: Theme = {
  id: 'my-plugin',
  label: 'My plugin',
  light: { primary: '#0b6b57', secondary: '#4a5b56', accent: '#8a4b08', info: '#2a6596' },
  dark: { primary: '#4fd1b0', secondary: '#a9bdb7', accent: '#f0b063', info: '#7cb8ea' },
};
