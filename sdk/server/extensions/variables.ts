import { createToken } from '../../shared/index.ts';
import type { AccessScope } from '../access.ts';

/** The value of a variable that goes out in messages and is shown nowhere. It is read only where a template names it. @public */
export interface SecretVariable {
  readonly secret: string;
  /** The values that it had before, which logs may still meet in rows and outputs. They are masked as well. */
  readonly former?: readonly string[];
}

/** Gives values for `{{env.NAME}}`, for the registry `variableSources`: what people keep, facts of a server. @public */
export interface VariableSource {
  readonly id: string;
  /** Later ones win over earlier ones. Default 0. */
  readonly order?: number;
  /** Values by name for whoever calls, in the project of the scope. Has five seconds. */
  resolve(scope: AccessScope): Promise<Readonly<Record<string, string | SecretVariable>>>;
}

/** The variables that some templates name. @public */
export interface UsedVariables {
  /** By name, for `env` among the values of the templates. */
  readonly env: Readonly<Record<string, string>>;
  /**
   * What is made of texts, with ••• in place of the values of secret ones, also as addresses and JSON write them. For logs: before a text is
   * cut, or a part of a value stays.
   */
  readonly mask: <T>(this: void, shown: T) => T;
}

/** Values that people write as `{{env.NAME}}` in addresses, headers and texts. @beta */
export interface Variables {
  /** All of them. Without a source there are none. */
  resolve(scope: AccessScope): Promise<ReadonlyMap<string, string | SecretVariable>>;
  /**
   * Those that templates name, which may stand anywhere within the settings of a message. Asks no source where there are none.
   *
   * @throws TrellisError 400 `VARIABLE_UNKNOWN` naming one that has no value for the scope
   */
  usedIn(settings: unknown, scope: AccessScope): Promise<UsedVariables>;
}
/** Variables. @beta */
export const VariablesToken = createToken<Variables>('variables');
