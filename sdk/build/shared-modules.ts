/** A module of which the page holds one copy, shared by the host and every plugin. @public */
export interface SharedModule {
  /** The name that an import statement uses. */
  readonly id: string;
  /** CommonJS modules do not say what they export; the build asks them when it runs. */
  readonly format: 'esm' | 'commonjs';
  /** What plugins may import from it; by default everything. What nobody may import need not be sent to anybody. */
  readonly exports?: readonly string[];
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

/**
 * The router of components. The page stands in a `HashRouter`, where loaders, actions and fetchers do not work; they, and the
 * router's server, are more than half of the package.
 */
const router: SharedModule = {
  id: 'react-router-dom',
  format: 'esm',
  exports: [
    'createPath',
    'createRoutesFromElements',
    'createSearchParams',
    'generatePath',
    'HashRouter',
    'Link',
    'matchPath',
    'matchRoutes',
    'MemoryRouter',
    'Navigate',
    'NavigationType',
    'NavLink',
    'Outlet',
    'parsePath',
    'resolvePath',
    'Route',
    'Router',
    'Routes',
    'useHref',
    'useInRouterContext',
    'useLinkClickHandler',
    'useLocation',
    'useMatch',
    'useNavigate',
    'useNavigationType',
    'useOutlet',
    'useOutletContext',
    'useParams',
    'useResolvedPath',
    'useRoutes',
    'useSearchParams',
  ],
};

const esm = [
  'react-redux',
  ...primeReact.map((name) => `primereact/${name}`),
  '@trellis/sdk/shared',
  '@trellis/sdk/web',
  '@trellis/sdk/web/cards',
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
  router,
  ...esm.map((id): SharedModule => ({ id, format: 'esm' })),
];
