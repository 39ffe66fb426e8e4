import { createToken, type JsonSchema, type Row, type RowKey } from '../../shared/index.ts';
import type { AccessScope } from '../access.ts';
import type { Logger } from '../logger.ts';

/** What a run of an operation is given. @public */
export interface OperationCall<Input = unknown> {
  readonly input: Input;
  readonly scope: AccessScope;
  readonly signal: AbortSignal;
  readonly logger: Logger;
  /**
   * Given by callers that try again by themselves, the same on each try: what is kept under it already is kept no second time, and what
   * is sure to happen later is done for them. Undefined where somebody waits for the outcome.
   */
  readonly idempotencyKey?: string | undefined;
}

/** What an operation is told of the button that somebody pressed. @public */
export interface ButtonPress {
  readonly projectId: string;
  readonly tableId: string;
  readonly columnId: string;
  readonly rowKey: RowKey;
  /** The row as whoever pressed it may read it, by titles. */
  readonly row: Row;
  /** What was chosen when the act was put on the button: see `OperationButton.choices`. Empty where there is nothing to choose. */
  readonly choice: string;
}

/** How an act on one row is put on buttons. @public */
export interface OperationButton {
  /** The name of the act for whoever chooses it. */
  readonly label: string;
  /** For an act that goes by which button was pressed: only buttons offer it, and no steps of automations. Default false. */
  readonly needsButton?: boolean;
  /** For an act that works with one of several things, such as the webhooks of a table: what to choose it by. */
  readonly choices?: {
    /** What is chosen: "Webhook". */
    readonly label: string;
    /**
     * What whoever asks may put on a button of the table. A column keeps the id of the chosen one; it is asked again whenever somebody
     * chooses another one, and not when the button is pressed.
     */
    list(scope: AccessScope, tableId: string): Promise<readonly ButtonChoice[]>;
  };
}

/** One of the things that an act on buttons works with. @public */
export interface ButtonChoice {
  readonly id: string;
  /** As its makers call it. */
  readonly label: string;
}

/** A named act, for the registry `operations`: a call of the dashboard, a migration of SQL, the start of a project. @public */
export interface Operation<Input = unknown> {
  /** As callers name it: `sqlOp_tableList`. */
  readonly id: string;
  readonly summary: string;
  /** Required of the scope before anything is looked at. */
  readonly permission: string;
  readonly input?: JsonSchema;
  /** For an act on one row that may be put on buttons. Its input is a `ButtonPress`. */
  readonly button?: OperationButton;
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
    call: Pick<OperationCall, 'scope' | 'input' | 'signal' | 'idempotencyKey'>,
  ): Promise<unknown>;
  /** Those that the scope may run. */
  list(scope: AccessScope): readonly { readonly id: string; readonly summary: string }[];
  /** What an act of buttons can work with on rows of a table; none where it asks for no choice or is not there. */
  choices(id: string, scope: AccessScope, tableId: string): Promise<readonly ButtonChoice[]>;
}
/** Named acts. @beta */
export const OperationsToken = createToken<Operations>('operations');
