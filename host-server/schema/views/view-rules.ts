import {
  applyDefaults,
  describeProblems,
  isExpected,
  problemsByField,
  validateSchema,
  type Registry,
  type SettingsSchema,
} from '@trellis/core';
import type { ViewDraft, ViewDraftContext, ViewSchema, ViewType } from '@trellis/sdk/server';
import { joinedOptions, partedOptions, type RegistryView, type ViewAddition } from '@trellis/sdk/shared';
import type { PluginErrors } from '../../runtime/tokens.ts';
import { viewErrors } from './view-errors.ts';

type Options = Readonly<Record<string, unknown>>;

/** The most bytes of JSON in the options of one view or column; they fit into a text column of every database. */
const largestOptions = 60_000;

export interface ViewRulesDependencies {
  readonly viewTypes: Registry<ViewType>;
  readonly viewAdditions: RegistryView<ViewAddition>;
  readonly errors: PluginErrors;
}

/** The draft of a saved view, before anybody changes it. */
export function draftOf(view: ViewSchema): ViewDraft {
  const columns = view.columns.map(({ columnId, show, order, width, meta }) => ({
    columnId,
    show,
    order,
    width,
    options: meta ?? {},
  }));
  return { options: view.meta ?? {}, columns };
}

/**
 * The draft as it may be saved: completed by the defaults and the rules of its type, and checked against the type's schemas.
 * Unchanged parts are not checked again, since a later version of the type may be stricter.
 *
 * @param of.saved the saved view: the view itself before the change, or the one that it is a copy of
 * @throws TrellisError `VIEW_OPTIONS_INVALID`, or the error of the type's rules
 */
export function completeDraft(
  deps: ViewRulesDependencies,
  type: ViewType,
  of: { readonly draft: ViewDraft; readonly saved: ViewDraft | undefined },
  context: ViewDraftContext,
): ViewDraft {
  // The type does not check options that other plugins keep with the view.
  const { own, additions } = partedOptions(of.draft.options);
  const stored = of.saved && { ...of.saved, options: partedOptions(of.saved.options).own };
  const saved = stored && withDefaults(type, stored);
  const filled = withDefaults(type, { ...of.draft, options: own });
  check(type, { saved, draft: filled, context, mayLack: true });
  const completed = applyRules(deps, type, filled, context);
  check(type, { saved, draft: completed, context, mayLack: false });
  const least = withoutDefaults(type, completed, stored);
  checkAdditions(deps, additions, context);
  const options = joinedOptions({ own: least.options, additions });
  if (Object.keys(additions).length > 0) assertSize(options);
  return { ...least, options };
}

/** Checks options of other plugins, unless they are unchanged from the saved view. */
function checkAdditions(
  { viewAdditions }: ViewRulesDependencies,
  additions: Options,
  { view, copyOf }: ViewDraftContext,
): void {
  const saved = partedOptions((view ?? copyOf)?.meta ?? {}).additions;
  for (const [id, kept] of Object.entries(additions)) {
    if (isSameJson(kept, saved[id])) continue;
    const addition = viewAdditions.get(id);
    if (addition === undefined) throw viewErrors.create('VIEW_ADDITION_DISABLED', { addition: id });
    checkOptions(kept as Options, addition.options, { mayLack: false });
  }
}

function withDefaults({ options, columnOptions }: ViewType, draft: ViewDraft): ViewDraft {
  return {
    options: filledOptions(options, draft.options),
    columns: draft.columns.map((column) => ({
      ...column,
      options: filledOptions(columnOptions, column.options),
    })),
  };
}

/** The parts of a draft to store: stored values stay, and a column with only default values stores nothing. */
function withoutDefaults(type: ViewType, draft: ViewDraft, stored: ViewDraft | undefined): ViewDraft {
  const before = new Map(stored?.columns.map(({ columnId, options }) => [columnId, options]));
  const none = filledOptions(type.columnOptions, {});
  const least = (options: Options, known: Options | undefined): Options => {
    if (known !== undefined && isSameJson(options, filledOptions(type.columnOptions, known))) return known;
    return isSameJson(options, none) ? {} : options;
  };
  const isKept =
    stored !== undefined && isSameJson(draft.options, filledOptions(type.options, stored.options));
  return {
    options: isKept ? stored.options : draft.options,
    columns: draft.columns.map((column) => ({
      ...column,
      options: least(column.options, before.get(column.columnId)),
    })),
  };
}

/** The options, with defaults for those that are not stored. */
export function filledOptions(schema: SettingsSchema | undefined, options: Options): Options {
  return schema === undefined ? options : (applyDefaults(schema, options) as Options);
}

function applyRules(
  { viewTypes, errors }: ViewRulesDependencies,
  type: ViewType,
  draft: ViewDraft,
  context: ViewDraftContext,
): ViewDraft {
  try {
    const completed = type.willSave?.(draft, context) ?? draft;
    const known = new Set(draft.columns.map(({ columnId }) => columnId));
    return { ...completed, columns: completed.columns.filter(({ columnId }) => known.has(columnId)) };
  } catch (error) {
    if (isExpected(error)) throw error;
    errors.charge(viewTypes.subject(type.id), error);
    throw viewErrors.create('VIEW_RULES_FAILED', { type: type.label }, error);
  }
}

interface Checked {
  readonly saved: ViewDraft | undefined;
  readonly draft: ViewDraft;
  readonly context: ViewDraftContext;
  /** Whether required options may still be missing, because the type's rules will fill them in. */
  readonly mayLack: boolean;
}

/** @throws TrellisError `VIEW_OPTIONS_INVALID`, `VIEW_OPTIONS_LARGE` or `VIEW_COLUMN_OPTIONS_NONE`. */
function check(type: ViewType, { saved, draft, context, mayLack }: Checked): void {
  if (saved === undefined || !isSameJson(draft.options, saved.options))
    checkOptions(draft.options, type.options, { mayLack });
  const before = new Map(saved?.columns.map(({ columnId, options }) => [columnId, options]));
  const none = filledOptions(type.columnOptions, {});
  for (const { columnId, options } of draft.columns) {
    if (isSameJson(options, before.get(columnId) ?? none)) continue;
    if (type.columnOptions === undefined)
      throw viewErrors.create('VIEW_COLUMN_OPTIONS_NONE', { type: type.label });
    const column = context.table.columnById.get(columnId)?.title;
    checkOptions(options, type.columnOptions, { mayLack, column });
  }
}

/** @param of.column the title of the column that the options are for. */
function checkOptions(
  options: Options,
  schema: SettingsSchema | undefined,
  of: { readonly mayLack: boolean; readonly column?: string | undefined },
): void {
  const problems = (schema === undefined ? [] : validateSchema(schema, options)).filter(
    ({ keyword }) => !(of.mayLack && keyword === 'required'),
  );
  if (problems.length > 0) {
    const description = describeProblems(problems).replaceAll('\n', '; ');
    throw viewErrors.create('VIEW_OPTIONS_INVALID', {
      description: of.column === undefined ? description : `${of.column}: ${description}`,
      problems: problemsByField(problems),
      ...(of.column !== undefined && { column: of.column }),
    });
  }
  assertSize(options);
}

/** @throws TrellisError `VIEW_OPTIONS_LARGE`. */
function assertSize(options: Options): void {
  if (Buffer.byteLength(JSON.stringify(options)) > largestOptions)
    throw viewErrors.create('VIEW_OPTIONS_LARGE', { limit: largestOptions });
}

/** Whether two parts of a view are equal. */
export function isSameJson(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
