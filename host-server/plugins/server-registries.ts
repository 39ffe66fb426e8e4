import { Registries, Registry } from '@trellis/core';
import { storePermissions, type ServerRegistries } from '@trellis/sdk/server';
import { hostFunctions } from '../query/host-functions.ts';

type AbsentPolicies = { readonly [Id in keyof ServerRegistries]: string };

/** Every registry of the server, and what the product does when a stored id has no provider. */
const absentPolicies: AbsentPolicies = {
  columnTypes:
    'Values stay readable raw; new ones are refused with 409 COLUMN_TYPE_DISABLED; nothing is lost.',
  viewTypes: 'The view is shown as a read-only grid with a notice.',
  filterOperators: 'The query is refused with 409 FILTER_OPERATOR_DISABLED.',
  functions: 'What calls it is refused with 409 FUNCTION_UNKNOWN; a formula keeps its text.',
  permissions: 'Denied.',
  scopeRules: 'The narrower answer: a caller whose rights name the rule is refused.',
  credentialResolvers: 'The caller is a guest.',
  jobs: 'Not run.',
  healthChecks: 'Skipped.',
  taskKinds: 'Tasks of the kind wait until its plugin is enabled again.',
  busTransports: 'The metadata database carries the messages, where it can.',
};

export const serverRegistryIds = Object.keys(absentPolicies) as readonly (keyof ServerRegistries)[];

/** The registries, with the permissions that the host's own stores require and the functions of the databases. */
export function createServerRegistries(): Registries<ServerRegistries> {
  const registries = new Registries<ServerRegistries>();
  for (const [id, absentPolicy] of Object.entries(absentPolicies)) {
    registries.define(new Registry({ id, absentPolicy }) as never);
  }
  for (const permission of storePermissions) registries.get('permissions').register(permission, 'host');
  for (const { definition } of hostFunctions.values())
    registries.get('functions').register(definition, 'host');
  return registries;
}
