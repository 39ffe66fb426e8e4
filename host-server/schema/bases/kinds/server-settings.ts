import type { BaseSettings, ServerBaseTarget, TlsSettings } from '@trellis/sdk/server';
import type { JsonSchema, SettingsSchema } from '@trellis/sdk/shared';

const groupLabels = {
  encryption: 'Encryption',
  rules: 'What may be changed from here',
  advanced: 'Advanced',
};

/** The modes of encryption, the weakest first. */
const tlsModes = ['none', 'encrypt', 'authority', 'identity'] as const;

export type TlsMode = (typeof tlsModes)[number];

const tlsLabels: Readonly<Record<TlsMode, string>> = {
  none: 'No',
  encrypt: 'Required',
  authority: 'Required, certificate checked',
  identity: 'Required, certificate and host checked',
};

/** A field for PEM text. It takes no path: a browser must not be able to name a file of the server. */
function pem(title: string, more: JsonSchema): JsonSchema {
  return { type: 'string', title, maxLength: 100_000, pattern: '^\\s*-----BEGIN [A-Z0-9 ]+-----', ...more };
}

/** The form of a database on a server. */
export function serverSettings(of: {
  readonly port: number;
  readonly user: string;
  /** Further fields, after the name of the database. */
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  /** The modes of encryption that the driver knows; all of them if left out. The first one is the default. */
  readonly tls?: readonly TlsMode[];
  /** The most characters of a database's name. Default 63. */
  readonly longestName?: number;
}): SettingsSchema {
  const modes = of.tls ?? tlsModes;
  return {
    type: 'object',
    required: ['host', 'port', 'user', 'database'],
    additionalProperties: false,
    properties: {
      host: {
        type: 'string',
        title: 'Host address',
        minLength: 1,
        maxLength: 253,
        pattern: '^[^\\s/\\\\@?#\\u0000]+$',
        'x-ui': { order: 1, target: true },
      },
      port: {
        type: 'integer',
        title: 'Port',
        minimum: 1,
        maximum: 65_535,
        default: of.port,
        'x-ui': { order: 2, target: true },
      },
      user: {
        type: 'string',
        title: 'Username',
        minLength: 1,
        maxLength: 255,
        'x-ui': { order: 3, placeholder: of.user, target: true },
      },
      password: {
        type: 'string',
        format: 'secret',
        title: 'Password',
        maxLength: 1000,
        'x-ui': { order: 4 },
      },
      database: {
        type: 'string',
        title: 'Database',
        minLength: 1,
        maxLength: of.longestName ?? 63,
        'x-ui': { order: 5 },
      },
      ...of.properties,
      tls: {
        type: 'string',
        title: 'SSL',
        enum: [...modes],
        default: modes[0],
        'x-ui': {
          order: 10,
          group: groupLabels.encryption,
          labels: modes.map((mode) => tlsLabels[mode]),
          target: true,
        },
      },
      ca: pem('Server CA', {
        format: 'multiline',
        'x-ui': {
          order: 11,
          group: groupLabels.encryption,
          help: 'Without it the authorities that this machine trusts are asked.',
          when: {
            property: 'tls',
            oneOf: modes.filter((mode) => mode === 'authority' || mode === 'identity'),
          },
          target: true,
        },
      }),
      cert: pem('Client certificate', {
        format: 'multiline',
        'x-ui': {
          order: 12,
          group: groupLabels.encryption,
          when: { property: 'tls', oneOf: modes.filter((mode) => mode !== 'none') },
        },
      }),
      key: pem('Client key', {
        format: 'secret',
        'x-ui': {
          order: 13,
          group: groupLabels.encryption,
          widget: 'textarea',
          when: { property: 'tls', oneOf: modes.filter((mode) => mode !== 'none') },
        },
      }),
      readOnly: {
        type: 'boolean',
        title: 'Read only',
        default: false,
        'x-ui': {
          order: 20,
          group: groupLabels.rules,
          help: 'Nobody changes rows of this database from here.',
        },
      },
      schemaChanges: {
        type: 'boolean',
        title: 'Change tables and columns from here',
        default: false,
        'x-ui': {
          order: 21,
          group: groupLabels.rules,
          help: 'Other applications that use this database will find what is changed.',
          when: { property: 'readOnly', oneOf: [false] },
        },
      },
      createDatabase: {
        type: 'boolean',
        title: 'Create the database if it does not exist',
        default: false,
        'x-ui': { order: 22, group: groupLabels.rules, when: { property: 'schemaChanges', oneOf: [true] } },
      },
      connections: {
        type: 'integer',
        title: 'Connections',
        minimum: 3,
        maximum: 50,
        default: 10,
        'x-ui': {
          order: 30,
          group: groupLabels.advanced,
          help: 'The most that this server opens at once; it opens none while nobody uses the project.',
        },
      },
      connectSeconds: {
        type: 'integer',
        title: 'Seconds to connect',
        minimum: 1,
        maximum: 60,
        'x-ui': {
          order: 31,
          group: groupLabels.advanced,
          placeholder: '5',
          help: 'More for a server that is far away, or that sleeps while nobody uses it.',
        },
      },
      applicationName: {
        type: 'string',
        title: 'Application name',
        maxLength: 60,
        pattern: '^[A-Za-z0-9_.:-][A-Za-z0-9_.: -]*$',
        'x-ui': {
          order: 32,
          group: groupLabels.advanced,
          placeholder: 'trellis',
          help: 'What the tools of the database call the connections of this server.',
        },
      },
    },
  };
}

/** The target of settings of this form. */
export function serverTarget(dialect: string, settings: BaseSettings): ServerBaseTarget {
  const text = (key: string) => {
    const value = settings[key];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  return {
    dialect,
    host: text('host') ?? '',
    port: Number(settings.port),
    user: text('user') ?? '',
    password: text('password'),
    database: text('database') ?? '',
    schema: text('schema'),
    tls: tlsOf(settings.tls, text),
    connections: Number(settings.connections ?? 10),
    ...(typeof settings.connectSeconds === 'number' && { connectSeconds: settings.connectSeconds }),
    ...(text('applicationName') !== undefined && { applicationName: text('applicationName') }),
  };
}

function tlsOf(mode: unknown, text: (key: string) => string | undefined): TlsSettings | undefined {
  const verify = tlsModes.find((one) => one === mode);
  if (verify === undefined || verify === 'none') return undefined;
  return { ca: verify === 'encrypt' ? undefined : text('ca'), cert: text('cert'), key: text('key'), verify };
}
