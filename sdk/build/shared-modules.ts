/** A module that the page has only once, shared by the host and every plugin. @public */
export interface SharedModule {
  /** The name in import statements. */
  readonly id: string;
  /** CommonJS modules do not declare their exports; the build determines them at run time. */
  readonly format: 'esm' | 'commonjs';
  /** The names that plugins may import; default: all. Names that nobody may import need not be sent. */
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
 * The router of components. The page uses a `HashRouter`, in which loaders, actions and fetchers do not work; together with the
 * router's server, they are more than half of the package.
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
 * The only list of shared modules. The host's build makes an entry of each, the page's import map names them, and the plugin
 * builder excludes them from plugins.
 *
 * @public
 */
export const sharedModules: readonly SharedModule[] = [
  ...commonJs.map((id): SharedModule => ({ id, format: 'commonjs' })),
  router,
  ...esm.map((id): SharedModule => ({ id, format: 'esm' })),
];
