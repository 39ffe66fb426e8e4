/** A module of which the page holds one copy, shared by the host and every plugin. @public */
export interface SharedModule {
  /** The name that an import statement uses. */
  readonly id: string;
  /** CommonJS modules do not say what they export; the build asks them when it runs. */
  readonly format: 'esm' | 'commonjs';
}

const commonJs = ['react', 'react/jsx-runtime', 'react-dom', 'react-dom/client'];

const primeReact = [
  'api',
  'autocomplete',
  'button',
  'calendar',
  'checkbox',
  'chip',
  'chips',
  'column',
  'componentbase',
  'confirmdialog',
  'contextmenu',
  'csstransition',
  'datatable',
  'dialog',
  'dropdown',
  'fileupload',
  'hooks',
  'iconbase',
  'inputnumber',
  'inputswitch',
  'inputtext',
  'inputtextarea',
  'listbox',
  'menu',
  'message',
  'multiselect',
  'overlaypanel',
  'overlayservice',
  'paginator',
  'password',
  'portal',
  'progressbar',
  'progressspinner',
  'radiobutton',
  'ripple',
  'selectbutton',
  'sidebar',
  'slider',
  'splitbutton',
  'tabview',
  'tag',
  'tieredmenu',
  'toast',
  'toolbar',
  'tooltip',
  'tree',
  'utils',
  'virtualscroller',
];

const esm = [
  'react-router-dom',
  'react-redux',
  ...primeReact.map((name) => `primereact/${name}`),
  '@trellis/sdk/shared',
  '@trellis/sdk/web',
  '@trellis/sdk/web/grid',
  '@trellis/sdk/web/rows',
  '@trellis/sdk/web/ui',
  '@trellis/sdk/web/views',
];

/**
 * The one list of shared modules. The host's build makes an entry of each, the page's import map names them, and the
 * plugin builder leaves them out of a plugin.
 *
 * @public
 */
export const sharedModules: readonly SharedModule[] = [
  ...commonJs.map((id): SharedModule => ({ id, format: 'commonjs' })),
  ...esm.map((id): SharedModule => ({ id, format: 'esm' })),
];
