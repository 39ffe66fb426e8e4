import { createToken, type JsonSchema, type Row, type RowKey } from '../../shared/index.ts';
import type { AccessScope } from '../access.ts';
import type { Logger } from '../logger.ts';

/** The parameters of a run of an operation. @public */
export interface OperationCall<Input = unknown> {
  readonly input: Input;
  readonly scope: AccessScope;
  readonly signal: AbortSignal;
  readonly logger: Logger;
  /**
   * Set by callers that retry by themselves, the same on each try: what is already stored under it is not stored again, and what is
   * certain to happen later counts as done. Undefined if a person waits for the result.
   */
  readonly idempotencyKey?: string | undefined;
}

/** The button that a person pressed, for an operation. @public */
export interface ButtonPress {
  readonly projectId: string;
  readonly tableId: string;
  readonly columnId: string;
  readonly rowKey: RowKey;
  /** The row as the person who pressed may read it, by titles. */
  readonly row: Row;
  /**
   * The choice that was made when the operation was put on the button: see `OperationButton.choices`. Empty if there is nothing to
   * choose.
   */
  readonly choice: string;
}

/** How an operation on one row is put on buttons. @public */
export interface OperationButton {
  /** The name of the operation in the list of choices. */
  readonly label: string;
  /** For an operation that depends on which button was pressed: only buttons offer it, not steps of automations. Default false. */
  readonly needsButton?: boolean;
  /** For an operation that works with one of several things, such as the webhooks of a table: how to choose it. */
  readonly choices?: {
    /** What is chosen: "Webhook". */
    readonly label: string;
    /**
     * What the caller may put on a button of the table. A column stores the id of the chosen one. Called whenever a person changes
     * the choice, but not when the button is pressed.
     */
    list(scope: AccessScope, tableId: string): Promise<readonly ButtonChoice[]>;
  };
}

/** One of the choices for an operation on buttons. @public */
export interface ButtonChoice {
  readonly id: string;
  /** The name that its authors gave it. */
  readonly label: string;
}

/**
 * A named operation, for the registry `operations`: a call of the dashboard, a migration of SQL, the start of a project. @public
 */
export interface Operation<Input = unknown> {
  /** As callers name it: `sqlOp_tableList`. */
  readonly id: string;
  readonly summary: string;
  /** Required of the scope before anything else is checked. */
  readonly permission: string;
  readonly input?: JsonSchema;
  /** For an operation on one row that may be put on buttons. Its input is a `ButtonPress`. */
  readonly button?: OperationButton;
  run(call: OperationCall<Input>): Promise<unknown>;
}

/**
 * Runs operations by name. Throws 501 `PLUGIN_DISABLED` for one that nobody registers, 403 without its permission, 400
 * `INVALID_INPUT` for input that its schema refuses, and the operation's own errors.
 * @beta
 */
export interface Operations {
  run(
    id: string,
    call: Pick<OperationCall, 'scope' | 'input' | 'signal' | 'idempotencyKey'>,
  ): Promise<unknown>;
  /** The operations that the scope may run. */
  list(scope: AccessScope): readonly { readonly id: string; readonly summary: string }[];
  /** The choices of a button's operation on rows of a table; none if it has no choices or does not exist. */
  choices(id: string, scope: AccessScope, tableId: string): Promise<readonly ButtonChoice[]>;
}
/** Named operations. @beta */
export const OperationsToken = createToken<Operations>('operations');
