import { Registries, Registry, type BudgetSubject } from '@trellis/core';
import { storePermissions, type HostServerRegistries, type ServerRegistries } from '@trellis/sdk/server';
import { checkColumnType } from './check-column-type.ts';
import { checkPermission } from './check-permission.ts';
import { checkShape, type Shape } from './check-shape.ts';
import { checkViewAddition, checkViewType } from './check-view-type.ts';
import { containColumnType } from './contain-column-type.ts';
import { containFilterOperator } from './contain-filter-operator.ts';
import { containViewAddition } from './contain-view-addition.ts';
import {
  containSignInStep,
  limitCredentialResolver,
  limitScopeRule,
  type AnswerLimits,
} from './limit-answers.ts';
import { hostFunctions } from '../query/host-functions.ts';
import type { PluginErrors } from '../runtime/tokens.ts';
import { hostBaseKinds } from '../schema/bases/kinds/host-base-kinds.ts';

type AbsentPolicies = { readonly [Id in keyof HostServerRegistries]: string };

/** Every registry of the server, and what the product does when a stored id has no provider. */
const absentPolicies: AbsentPolicies = {
  baseKinds: 'The base is shown as unreachable; its tables, views and settings stay.',
  columnTypes:
    'Values stay readable raw; new ones are refused with 409 COLUMN_TYPE_DISABLED; nothing is lost.',
  viewTypes:
    'The view is shown as a read-only grid with a notice; its options are kept, new ones refused with 409 VIEW_TYPE_DISABLED.',
  viewAdditions:
    'Kept with the view as it is and told to nobody who does not see all columns; a change of it is refused with 409 VIEW_ADDITION_DISABLED.',
  filterOperators: 'The query is refused with 409 FILTER_OPERATOR_DISABLED.',
  filterHomes: 'Its filters are not found by their ids.',
  objectHomes: 'Its objects are not there for anybody.',
  conditionHolders: 'Its conditions go on asking for the values that there were.',
  functions: 'What calls it is refused with 409 FUNCTION_UNKNOWN; a formula keeps its text.',
  aggregations: 'Not offered; a stored one has no value.',
  permissions: 'Denied.',
  scopeRules: 'The narrower answer: a caller whose rights name the rule is refused.',
  credentialResolvers: 'The caller is a guest.',
  jobs: 'Not run.',
  changeMarks: 'Nothing is kept of it with new changes; what was kept stays.',
  healthChecks: 'Skipped.',
  fileGrants: 'Its addresses of files are good for nothing until its plugin is enabled again.',
  openViews: 'Columns that are made meanwhile show in its views as in any other.',
  serverFigures: 'Left out of the summary of the server.',
  framedPages: 'No other site can show the page inside its own.',
  taskKinds: 'Tasks of the kind wait until its plugin is enabled again.',
  mailAdapters: 'Mail is refused with 503 MAIL_NOT_CONFIGURED.',
  storageAdapters: 'Its files are refused with 503 STORAGE_ABSENT; new ones go to another adapter.',
  fileHolders: 'Its files are neither counted nor moved to another storage.',
  channelUsers: 'Nobody is told of it before a channel that it uses is switched off.',
  notificationChannels: 'Refused with 409 CHANNEL_DISABLED; what uses it is paused with that reason.',
  noticeKinds: 'Its notices are other news: people who want those are told.',
  importers: 'Not offered.',
  exporters: 'Not offered.',
  authProviders: 'Not offered; who signed in by it keeps the account.',
  signInSteps: 'Not asked for.',
  operations: 'Refused with 501 PLUGIN_DISABLED.',
  listeners: 'Not started.',
  variableSources: 'Its variables have no value.',
  liveTopics: 'What pages say of it is dropped.',
  busTransports: 'The metadata database carries the messages, where it can.',
};

/** Checks of items before they are in service; an error fails the enabling of the plugin. */
const checks: { readonly [Id in keyof HostServerRegistries]?: (item: HostServerRegistries[Id]) => void } = {
  columnTypes: checkColumnType,
  viewTypes: checkViewType,
  viewAdditions: checkViewAddition,
  permissions: checkPermission,
};

/** The fields of items; extension points with a check above need none. */
const shapes: { readonly [Id in keyof HostServerRegistries]?: Shape } = {
  baseKinds: { label: 'text', settings: 'schema', fromConfig: 'function', target: 'function' },
  viewAdditions: { options: 'object', told: 'function' },
  filterOperators: { label: 'text', build: 'function' },
  filterHomes: { projectOf: 'function', read: 'function', update: 'function', remove: 'function' },
  objectHomes: { find: 'function' },
  conditionHolders: { moved: 'function' },
  functions: { parameters: 'list', result: 'function', body: 'object' },
  aggregations: { label: 'text', build: 'function' },
  scopeRules: { narrow: 'function' },
  credentialResolvers: { resolve: 'function' },
  jobs: { every: 'seconds', run: 'function' },
  changeMarks: { read: 'function' },
  healthChecks: { check: 'function' },
  fileGrants: { keyOf: 'function' },
  framedPages: { sites: 'function' },
  openViews: { ofTable: 'function', isOpen: 'function' },
  serverFigures: { count: 'function' },
  taskKinds: { permission: 'text', run: 'function' },
  mailAdapters: { label: 'text', isConfigured: 'function', send: 'function', verify: 'function' },
  storageAdapters: {
    label: 'text',
    isConfigured: 'function',
    put: 'function',
    get: 'function',
    remove: 'function',
  },
  fileHolders: { count: 'function', list: 'function', repoint: 'function', holds: 'function' },
  channelUsers: { label: 'text', count: 'function', usage: 'function' },
  notificationChannels: { label: 'text', settings: 'schema', send: 'function' },
  noticeKinds: { label: 'text', text: 'text' },
  importers: { label: 'text', extensions: 'list', mediaTypes: 'list', read: 'function' },
  exporters: { label: 'text', extension: 'text', mediaType: 'text', write: 'function' },
  authProviders: { label: 'text', isConfigured: 'function', start: 'function', callback: 'function' },
  signInSteps: { isDue: 'function', begin: 'function', finish: 'function' },
  operations: { permission: 'text', input: 'schema or nothing', run: 'function' },
  listeners: { label: 'text', start: 'function' },
  variableSources: { resolve: 'function' },
  liveTopics: { read: 'function', tell: 'function' },
  busTransports: { open: 'function' },
};

/** Wrappers for items whose own code runs within the work of others. */
const containments: {
  readonly [Id in keyof HostServerRegistries]?: (
    item: HostServerRegistries[Id],
    subject: BudgetSubject,
    errors: PluginErrors,
    limits: AnswerLimits,
  ) => HostServerRegistries[Id];
} = {
  columnTypes: containColumnType,
  filterOperators: containFilterOperator,
  viewAdditions: containViewAddition,
  credentialResolvers: limitCredentialResolver,
  scopeRules: limitScopeRule,
  signInSteps: containSignInStep,
};

export const serverRegistryIds = Object.keys(absentPolicies) as readonly (keyof HostServerRegistries)[];

/** The registries, with the permissions that the host's own stores require and the functions of the databases. */
export function createServerRegistries(
  errors: PluginErrors,
  limits: AnswerLimits,
): Registries<ServerRegistries> {
  const registries = new Registries<ServerRegistries>();
  for (const [id, absentPolicy] of Object.entries(absentPolicies)) {
    // The table pairs each id with the check of its own items.
    const check = checks[id as keyof HostServerRegistries] as
      ((item: { readonly id: string }) => void) | undefined;
    const shape = shapes[id as keyof HostServerRegistries] ?? {};
    const validate = (item: { readonly id: string }) => {
      checkShape(id, item, shape);
      check?.(item);
    };
    const contained = containments[id as keyof HostServerRegistries] as
      | ((
          item: { readonly id: string },
          subject: BudgetSubject,
          errors: PluginErrors,
          limits: AnswerLimits,
        ) => { readonly id: string })
      | undefined;
    const contain = (item: { readonly id: string }, subject: BudgetSubject) =>
      contained?.(item, subject, errors, limits) ?? item;
    registries.define(new Registry({ id, absentPolicy, validate, contain }) as never);
  }
  for (const permission of storePermissions) registries.get('permissions').register(permission, 'host');
  for (const kind of hostBaseKinds) registries.get('baseKinds').register(kind, 'host');
  for (const { definition } of hostFunctions.values())
    registries.get('functions').register(definition, 'host');
  return registries;
}
