import type { Theme } from '@trellis/sdk/web';

/** The default theme is the style sheet itself; the others change its accents. */
export const builtInThemes: readonly Theme[] = [
  { id: 'default', label: 'Blue', light: {}, dark: {} },
  {
    id: 'forest',
    label: 'Forest',
    light: { primary: '#1b6e4b', accent: '#8a5a12' },
    dark: { primary: '#46c48c', accent: '#e0a94f' },
  },
  {
    id: 'plum',
    label: 'Plum',
    light: { primary: '#7a2f8f', accent: '#0f6f7c' },
    dark: { primary: '#cf8ee0', accent: '#4fc0cf' },
  },
  {
    id: 'ember',
    label: 'Ember',
    light: { primary: '#b23a12', accent: '#2f5f9f' },
    dark: { primary: '#ff8a5c', accent: '#7fb2ff' },
  },
  {
    id: 'graphite',
    label: 'Graphite',
    light: { primary: '#333b49', accent: '#1348ba' },
    dark: { primary: '#c3cad6', accent: '#0989ff' },
  },
];
