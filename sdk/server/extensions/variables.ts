import { createToken } from '../../shared/index.ts';
import type { AccessScope } from '../access.ts';

/** Gives values for `{{names}}`, for the registry `variableSources`: environments, facts of the server. @public */
export interface VariableSource {
  readonly id: string;
  /** Later ones win over earlier ones. Default 0. */
  readonly order?: number;
  /** Values by name for whoever calls, in the project of the scope. Has five seconds. */
  resolve(scope: AccessScope): Promise<Readonly<Record<string, string>>>;
}

/** Values that people write as `{{name}}` in addresses, headers and texts. @beta */
export interface Variables {
  /** All of them. Without a source there are none. */
  resolve(scope: AccessScope): Promise<ReadonlyMap<string, string>>;
  /** The text with its variables filled in. Throws 400 `VARIABLE_UNKNOWN` naming one that has no value. */
  fill(text: string, scope: AccessScope): Promise<string>;
}
/** Variables. @beta */
export const VariablesToken = createToken<Variables>('variables');
