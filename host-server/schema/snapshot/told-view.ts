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

/** The options of a view's own type that a caller may see. */
interface ToldOptions {
  ofView(options: Options): Options;
  /** Undefined for a column that the caller may not see in this view. */
  ofColumn(options: Options): Options | undefined;
}

const everything: ToldOptions = { ofView: (options) => options, ofColumn: (options) => options };
/** Only a type's plugin knows which of its options name people, so without it nothing is shown. */
const nothing: ToldOptions = { ofView: () => ({}), ofColumn: () => ({}) };

/** The view without options that name columns hidden from this caller. Visitors do not get options that are for members only. */
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

/** Keeps only options that a schema declares, since others may name anything. */
function declaredIn(schema: SettingsSchema | undefined): (options: Options) => Options {
  const declared = new Set(Object.keys(schema?.properties ?? {}));
  return (options) => Object.fromEntries(Object.entries(options).filter(([name]) => declared.has(name)));
}

function shownFilters(filters: readonly FilterSchema[], isShown: IsShown): readonly FilterSchema[] {
  return filters
    .filter(({ columnId }) => columnId === undefined || isShown(columnId))
    .map((filter) => ({ ...filter, children: shownFilters(filter.children, isShown) }));
}
