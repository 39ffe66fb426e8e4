import { createToken, type JsonSchema, type Row, type RowKey } from '../../shared/index.ts';
import type { AccessScope } from '../access.ts';
import type { Logger } from '../logger.ts';

/** What a run of an operation is given. @public */
export interface OperationCall<Input = unknown> {
  readonly input: Input;
  readonly scope: AccessScope;
  readonly signal: AbortSignal;
  readonly logger: Logger;
}

/** What an operation is told of the button that somebody pressed. @public */
export interface ButtonPress {
  readonly projectId: string;
  readonly tableId: string;
  readonly columnId: string;
  readonly rowKey: RowKey;
  /** The row as whoever pressed it may read it, by titles. */
  readonly row: Row;
}

/** A named act, for the registry `operations`: a call of the dashboard, a migration of SQL, the start of a project. @public */
export interface Operation<Input = unknown> {
  /** As callers name it: `sqlOp_tableList`. */
  readonly id: string;
  readonly summary: string;
  /** Required of the scope before anything is looked at. */
  readonly permission: string;
  readonly input?: JsonSchema;
  /** For an act on one row that may be put on buttons: its name for who chooses it. Its input is a `ButtonPress`. */
  readonly button?: { readonly label: string };
  run(call: OperationCall<Input>): Promise<unknown>;
}

/**
 * Runs operations by name. Throws 501 `PLUGIN_DISABLED` for one that nobody registers, 403 without its permission, 400 `INVALID_INPUT`
 * for input that its schema refuses, and what the operation throws.
 * @beta
 */
export interface Operations {
  run(
    id: string,
    call: { readonly scope: AccessScope; readonly input: unknown; readonly signal: AbortSignal },
  ): Promise<unknown>;
  /** Those that the scope may run. */
  list(scope: AccessScope): readonly { readonly id: string; readonly summary: string }[];
}
/** Named acts. @beta */
export const OperationsToken = createToken<Operations>('operations');
