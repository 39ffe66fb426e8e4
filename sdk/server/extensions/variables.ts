import { createToken } from '../../shared/index.ts';
import type { AccessScope } from '../access.ts';

/** The value of a variable that is sent in messages and never displayed. It is read only if a template names it. @public */
export interface SecretVariable {
  readonly secret: string;
  /** Its former values, which may still occur in rows and outputs in logs. They are masked as well. */
  readonly former?: readonly string[];
}

/** Provides values for `{{env.NAME}}`, for the registry `variableSources`: values that people enter, facts of a server. @public */
export interface VariableSource {
  readonly id: string;
  /** Sources with higher numbers override lower ones. Default 0. */
  readonly order?: number;
  /** Values by name for the caller, in the scope's project. Has five seconds. */
  resolve(scope: AccessScope): Promise<Readonly<Record<string, string | SecretVariable>>>;
}

/** The variables that some templates use. @public */
export interface UsedVariables {
  /** By name, for `env` in the values of the templates. */
  readonly env: Readonly<Record<string, string>>;
  /**
   * Replaces secret values by ••• in a value made of texts, also in their encodings in addresses and JSON. For logs: call it before
   * a text is truncated or a part of a value is taken.
   */
  readonly mask: <T>(this: void, shown: T) => T;
}

/** Values that people write as `{{env.NAME}}` in addresses, headers and texts. @beta */
export interface Variables {
  /** All of them; without a source there are none. */
  resolve(scope: AccessScope): Promise<ReadonlyMap<string, string | SecretVariable>>;
  /**
   * The variables that templates use, anywhere within the settings of a message. Calls no source if there are none.
   *
   * @throws TrellisError 400 `VARIABLE_UNKNOWN` naming one that has no value for the scope
   */
  usedIn(settings: unknown, scope: AccessScope): Promise<UsedVariables>;
}
/** Variables. @beta */
export const VariablesToken = createToken<Variables>('variables');
