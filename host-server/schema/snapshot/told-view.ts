import type { Registry, RegistryView } from '@trellis/core';
import {
  isVisitor,
  type AccessScope,
  type FilterSchema,
  type ViewSchema,
  type ViewType,
} from '@trellis/sdk/server';
import {
  joinedOptions,
  partedOptions,
  toldAdditions,
  type SettingsSchema,
  type ViewAddition,
} from '@trellis/sdk/shared';
import type { PluginErrors } from '../../runtime/tokens.ts';

type Options = Readonly<Record<string, unknown>>;
type IsShown = (columnId: string) => boolean;

export interface ToldViewsDependencies {
  readonly viewTypes: Registry<ViewType>;
  readonly viewAdditions: RegistryView<ViewAddition>;
  readonly errors: PluginErrors;
}

/** What somebody is told of the options of a view's own type. */
interface ToldOptions {
  ofView(options: Options): Options;
  /** Undefined for a column that they do not know of in this view. */
  ofColumn(options: Options): Options | undefined;
}

const everything: ToldOptions = { ofView: (options) => options, ofColumn: (options) => options };
/** Only the plugin of a type knows which of its options name people. */
const nothing: ToldOptions = { ofView: () => ({}), ofColumn: () => ({}) };

/** The view without what names columns that are hidden from this caller and, for visitors, without what only members are told of. */
export function toldView(
  scope: AccessScope,
  view: ViewSchema,
  isShown: IsShown,
  deps: ToldViewsDependencies,
): ViewSchema {
  const { own, additions } = partedOptions(view.meta ?? {});
  const told = toldOptions(scope, view, isShown, deps);
  return {
    ...view,
    meta:
      view.meta &&
      joinedOptions({
        own: told.ofView(own),
        additions: toldAdditions(additions, deps.viewAdditions, isShown, {
          isVisitor: isVisitor(scope.principal),
        }),
      }),
    columns: view.columns.flatMap((column) => {
      const meta = told.ofColumn(column.meta ?? {});
      if (!isShown(column.columnId) || meta === undefined) return [];
      return [column.meta === undefined ? column : { ...column, meta }];
    }),
    sorts: view.sorts.filter(({ columnId }) => isShown(columnId)),
    filters: shownFilters(view.filters, isShown),
  };
}

function toldOptions(
  { principal }: AccessScope,
  { type: typeId }: ViewSchema,
  isShown: IsShown,
  { viewTypes, errors }: ToldViewsDependencies,
): ToldOptions {
  if (!isVisitor(principal)) return everything;
  const type = viewTypes.get(typeId);
  if (type === undefined) return nothing;
  const { sharing } = type;
  const ofType = declaredIn(type.options);
  const ofItsColumns = declaredIn(type.columnOptions);
  const contained = <Told>(tell: () => Told, otherwise: Told): Told => {
    try {
      return tell();
    } catch (error) {
      errors.charge(viewTypes.subject(typeId), error);
      return otherwise;
    }
  };
  return {
    ofView: (options) => contained(() => ofType(sharing?.publicOptions?.(options, isShown) ?? options), {}),
    ofColumn: (options) =>
      contained(() => {
        if (sharing?.isForVisitors?.(options) === false) return undefined;
        return ofItsColumns(sharing?.publicColumnOptions?.(options, isShown) ?? options);
      }, undefined),
  };
}

/** Keeps the options that a schema declares: of others nobody knows what they name. */
function declaredIn(schema: SettingsSchema | undefined): (options: Options) => Options {
  const declared = new Set(Object.keys(schema?.properties ?? {}));
  return (options) => Object.fromEntries(Object.entries(options).filter(([name]) => declared.has(name)));
}

function shownFilters(filters: readonly FilterSchema[], isShown: IsShown): readonly FilterSchema[] {
  return filters
    .filter(({ columnId }) => columnId === undefined || isShown(columnId))
    .map((filter) => ({ ...filter, children: shownFilters(filter.children, isShown) }));
}
