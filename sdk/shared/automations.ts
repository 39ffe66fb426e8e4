/**
 * What is asked for one setting of a trigger or a step of an automation, as the builder draws it. The value by kind:
 *
 * - `text`, `lines`: a template, of one or several lines. `body`: one of several lines that is the body of a request, by the settings `method` and
 *   `headers` beside it; while it is typed it is told where a body that is to be JSON becomes none (`assertRequestBody` refuses it). `choice`: the value of one of `options`.
 * - `table`: the id of a table. `view`: the id of one of its views. `columns`: ids of its columns. `cells`: templates by column id.
 *   `conditions`: a list of `FilterNode`, whose values are templates. All but the first are about the table that the setting `table` names,
 *   without it the trigger's.
 * - `part`: a text that the item of the page's registry `automationInputParts` named by `part` draws and sets.
 * - `act`: what the operation `act` works with on rows of that table, by the id of one of its choices; a template may stand for it.
 * - `time`: a `TimePlan`, as schedules have one; a new one begins on weekday mornings in the person's own zone.
 * - `pairs`: a list of `RequestPair`. `channel`: `{ id, settings }` of a notification channel; texts among its settings are templates.
 * @public
 */
export interface AutomationInput {
  readonly id: string;
  readonly label: string;
  readonly kind:
    | 'text'
    | 'lines'
    | 'body'
    | 'choice'
    | 'table'
    | 'view'
    | 'columns'
    | 'cells'
    | 'conditions'
    | 'pairs'
    | 'channel'
    | 'act'
    | 'part'
    | 'time';
  /** Whether it must be set before an automation can be saved. */
  readonly isRequired?: boolean;
  /** Its value in a new step. */
  readonly initial?: unknown;
  /** A sentence under the field. */
  readonly help?: string;
  readonly placeholder?: string;
  /** For `cells`: offers link columns as well; the template of such a column gives the key of the row to link. */
  readonly links?: boolean;
  readonly options?: readonly { readonly value: string; readonly label: string }[];
  /** For `columns` and `view`: offers only those of this type. */
  readonly only?: string;
  /** For `act`: the id of an operation whose button has choices. */
  readonly act?: string;
  /** For `part`: the id of an item of the page's registry `automationInputParts`. */
  readonly part?: string;
  /** The id of the setting of the same trigger or step that names its table. */
  readonly table?: string;
  /** Asked only while another setting of the same trigger or step has this value. */
  readonly when?: { readonly input: string; readonly is: string };
}

/** Settings of a trigger or a step by the ids of their inputs. @public */
export type AutomationSettings = Readonly<Record<string, unknown>>;
