import {
  AccessServiceToken,
  SchemaStoreToken,
  type ServerPluginContext,
  type ViewSchema,
} from '@trellis/sdk/server';
import { TrellisError } from '@trellis/sdk/shared';
import { formView } from '../shared/index.ts';

/** Days for which a deleted table can be restored with its forms, plus some for the jobs. */
export const daysOfReturn = 35;

/** Returns the forms of a project, without those whose table is deleted; none if the project is deleted. */
export type FormsOf = (projectId: string) => Promise<readonly ViewSchema[]>;

export function createFormsOf(ctx: ServerPluginContext): FormsOf {
  const access = ctx.get(AccessServiceToken);
  const schema = ctx.get(SchemaStoreToken);
  return async (projectId) => {
    const snapshot = await schema
      .snapshot(access.systemScope(projectId, ctx.manifest.id))
      .catch((error: unknown) => {
        if (error instanceof TrellisError && error.status === 404) return undefined;
        throw error;
      });
    return [...(snapshot?.tables.values() ?? [])]
      .flatMap(({ views }) => views)
      .filter(({ type }) => type === formView.id);
  };
}
