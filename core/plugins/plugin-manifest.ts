import type { JsonSchema, SettingsSchema } from '../settings/json-schema.ts';

/** An item that a manifest announces for a registry; `setup` must register the same id. */
export interface Contribution {
  readonly id: string;
  readonly [detail: string]: unknown;
}

/** A page in the browser: its address, and the registries whose items it shows. */
export interface PageContribution extends Contribution {
  /** Registries whose items the page shows: plugins that announce items for them are loaded before the page is drawn. */
  readonly shows?: readonly string[];
}

/** The contributions of a plugin, by registry id, and other facts that the product must know. */
export interface PluginContributions {
  /**
   * Product paths that its server half serves: a prefix ("/api/v1/db/data") or one route ("GET /api/v1/version"). Paths below
   * /api/v1/plugins/<id>/ are the plugin's own and need no entry.
   */
  readonly routes?: readonly string[];
  /**
   * Hosts that its server half calls through `Outbound`: a name ("api.example.com"), its subdomains ("*.example.com"), an IPv4
   * address, or "*" for all, when the server is a setting or is entered by people, as for a webhook. Ports do not matter; an IPv6
   * address is only covered by "*". `Outbound` leads a plugin that is not part of the product to no other host; it cannot hold back
   * what opens connections past it. Addresses in the server's own network stay closed unless the operator opens them, or the
   * plugin says that a super admin set the host.
   */
  readonly hosts?: readonly string[];
  /** Its own tables that its migrations make, by the names in the migrations: "stamps". No others can be made. */
  readonly tables?: readonly string[];
  /**
   * Hooks, of either half, that it taps and by which it may change or refuse an operation ("rows.willCreate"): all except those
   * that report a past event (`did`). It cannot tap others.
   */
  readonly hooks?: readonly string[];
  /**
   * Addresses of its pages in the browser ({ "id": "/user/*" }). A browser that opens one of them loads this plugin first, and
   * waits for no others except those that add to the registries in the page's `shows`.
   */
  readonly pages?: readonly PageContribution[];
  readonly [registryId: string]: readonly Contribution[] | readonly string[] | undefined;
}

/**
 * `plugin.json`: the facts that the host knows about a plugin without running it.
 *
 * @public
 */
export interface PluginManifest {
  /** Kebab-case, the same as the folder. */
  readonly id: string;
  /** The name shown to people. */
  readonly name: string;
  /** Semantic version. */
  readonly version: string;
  /**
   * The heading under which the app store lists it: app, column, view, filter, email, chat, storage, import, integration, theme
   * or system. Any other word becomes a heading of its own, as written.
   */
  readonly category: string;
  /** A sentence or two for the app store. */
  readonly description?: string;
  /** Who wrote it: a person, a group or a company. */
  readonly author?: string;
  /** The licence by its SPDX name, such as "MIT". */
  readonly license?: string;
  /** An http(s) address. */
  readonly homepage?: string;
  /** A primeicons name or a path inside the folder. */
  readonly icon?: string;
  /** Words by which it can be searched. */
  readonly tags?: readonly string[];
  /** Range of host versions. */
  readonly engines: { readonly trellis: string };
  /** The number of the SDK contract that it was written for. */
  readonly sdk: number;
  /** Ranges by plugin id. These plugins are required, and are enabled before this one. */
  readonly dependencies?: Readonly<Record<string, string>>;
  /** As `dependencies` for plugins that are present; absent ones are ignored. */
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  /** Ranges by plugin id: never enabled at the same time. */
  readonly conflicts?: Readonly<Record<string, string>>;
  /** Enabled as long as nobody has decided about it. Honoured for built-in plugins only. */
  readonly enabledByDefault?: boolean;
  /** Always on; cannot be disabled, and its failure stops the start. Honoured for built-in plugins only. */
  readonly system?: boolean;
  /** The JSON Schema of its settings: the source of their form, their validation and `ctx.settings`. */
  readonly settings?: SettingsSchema;
  /** Capabilities that it asks for, shown before it is installed: "network", "database", ... */
  readonly permissions?: readonly string[];
  /** The items that `setup` registers, by registry id; the product paths that it serves (`routes`); its pages, hosts, tables and hooks. */
  readonly contributes?: PluginContributions;
}

/** Capabilities that a plugin can ask for in `permissions`. Others are shown to people as they are written. */
export const capabilities: readonly string[] = ['network', 'database'];

/** The number of the contract between host and plugins. It rises when plugins must be changed to keep working. */
export const SDK_CONTRACT = 1;

/** The pattern of ids and categories. */
const ID_PATTERN = '^[a-z][a-z0-9]*(-[a-z0-9]+)*$';
const patterns = {
  icon: '^(?!.*\\.\\.)[A-Za-z0-9][A-Za-z0-9._/ -]*$',
  route: '^((GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) )?/[!-~]*$',
  host: '^(\\*|(\\*\\.)?[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*)$',
  table: '^[a-z][a-z0-9_]{0,30}$',
  hook: '^[a-z][A-Za-z0-9-]*(\\.[A-Za-z][A-Za-z0-9-]*)+$',
} as const;

/** What the patterns of a manifest ask for, in words. */
export const patternWords: ReadonlyMap<string, string> = new Map<string, string>([
  [ID_PATTERN, "must be lower-case words between hyphens, such as 'acme-mood'"],
  [
    patterns.icon,
    "must be a name of primeicons, such as 'heart', or the path of a picture inside the folder",
  ],
  [
    patterns.route,
    "must be a path of the product, such as '/api/v1/version', with or without a method before it",
  ],
  [
    patterns.host,
    "must be the name of a host, such as 'api.example.com', '*.example.com' or '*', without protocol, port and path",
  ],
  [patterns.table, "must be lower-case letters, digits and underscores, such as 'days'"],
  [patterns.hook, "must be the id of a hook, such as 'rows.willCreate'"],
]);

const text = (maxLength: number): JsonSchema => ({ type: 'string', minLength: 1, maxLength });
const rangesById: JsonSchema = {
  type: 'object',
  maxProperties: 200,
  propertyNames: { type: 'string', pattern: ID_PATTERN },
  additionalProperties: text(100),
};

/** JSON Schema of `plugin.json`. Strict: an unknown key is an error, since it is probably misspelt. */
export const manifestSchema: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Trellis plugin manifest',
  type: 'object',
  additionalProperties: false,
  required: ['id', 'name', 'version', 'category', 'engines', 'sdk'],
  properties: {
    $schema: { type: 'string' },
    id: { type: 'string', pattern: ID_PATTERN, minLength: 2, maxLength: 60 },
    name: text(80),
    version: text(40),
    category: { type: 'string', pattern: ID_PATTERN, maxLength: 40 },
    description: { type: 'string', maxLength: 2000 },
    author: text(120),
    license: text(60),
    homepage: { type: 'string', format: 'http-url', maxLength: 500 },
    icon: { type: 'string', pattern: patterns.icon, maxLength: 200 },
    tags: { type: 'array', items: text(40), maxItems: 20, uniqueItems: true },
    engines: {
      type: 'object',
      additionalProperties: false,
      required: ['trellis'],
      properties: { trellis: text(100) },
    },
    sdk: { type: 'integer', minimum: 1 },
    dependencies: rangesById,
    optionalDependencies: rangesById,
    conflicts: rangesById,
    enabledByDefault: { type: 'boolean' },
    system: { type: 'boolean' },
    settings: { type: 'object', required: ['type'], properties: { type: { const: 'object' } } },
    permissions: { type: 'array', items: text(80), maxItems: 50, uniqueItems: true },
    contributes: {
      type: 'object',
      maxProperties: 200,
      propertyNames: { type: 'string', pattern: '^[a-z][A-Za-z0-9.-]*$', maxLength: 100 },
      properties: {
        routes: {
          type: 'array',
          uniqueItems: true,
          maxItems: 200,
          items: { type: 'string', maxLength: 300, pattern: patterns.route },
        },
        hosts: {
          type: 'array',
          uniqueItems: true,
          maxItems: 100,
          items: {
            type: 'string',
            maxLength: 253,
            pattern: patterns.host,
          },
        },
        tables: {
          type: 'array',
          uniqueItems: true,
          maxItems: 100,
          items: { type: 'string', pattern: patterns.table },
        },
        hooks: {
          type: 'array',
          uniqueItems: true,
          maxItems: 100,
          items: {
            type: 'string',
            maxLength: 100,
            pattern: patterns.hook,
          },
        },
      },
      additionalProperties: {
        type: 'array',
        maxItems: 500,
        items: { type: 'object', required: ['id'], properties: { id: text(100) } },
      },
    },
  },
};
