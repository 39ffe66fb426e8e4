import {
  cellShapes,
  placeholderFor,
  variableRoot,
  variablesShape,
  type ColumnEntity,
  type TableEntity,
  type TemplateShape,
} from '@trellis/sdk/shared';
import { useT, useVariableNames } from '@trellis/sdk/web';
import type { TemplateNaming } from '@trellis/sdk/web/ui';
import { defaultBody, eventValues, type HookEntity, type HookOperation } from '../shared/index.ts';

interface Told {
  /** For `before`, the new values are named by their database columns. */
  readonly event: HookEntity['event'];
  readonly operation: HookOperation;
  /** Whether one message covers several rows. */
  readonly isBatch: boolean;
}

const values = (names: readonly string[]): TemplateShape => ({
  names: Object.fromEntries(names.map((name) => [name, 'value' as const])),
});

const titleOf = ({ title }: ColumnEntity): string => title;
export const columnNameOf = ({ column_name: name }: ColumnEntity): string => name ?? '';

/** The names that a webhook's templates can use. */
export function useNaming(table: TableEntity, { event, operation, isBatch }: Told): TemplateNaming {
  const t = useT();
  const variables = useVariableNames(table.project_id);
  const columns = table.columns ?? [];
  const nameOf = event === 'before' ? columnNameOf : titleOf;
  const shapeOf = (of: readonly ColumnEntity[]): TemplateShape => {
    const row: TemplateShape = { names: cellShapes(of) };
    return isBatch ? { each: row } : row;
  };
  const told = shapeOf(columns.map((column) => ({ ...column, title: nameOf(column) })));
  const offer = (group: string, path: readonly string[], label: string) => ({
    group,
    placeholder: placeholderFor(path),
    label,
  });
  const shown = columns.filter(({ system }) => system !== true);
  const stored = shown.filter((column) => nameOf(column) !== '');
  const at = isBatch ? ['0'] : [];
  return {
    shape: {
      names: {
        data: told,
        row: told,
        previous: operation === 'update' ? shapeOf(columns) : 'value',
        user: values(['id', 'email']),
        table: values(['id', 'title']),
        event: { names: Object.fromEntries(eventValues.map((name) => [name, 'any' as const])) },
        hook: values(['id', 'title']),
        [variableRoot]: variables === undefined ? 'any' : variablesShape(variables),
      },
    },
    offered: [
      ...stored.map((column) => offer(t('The row'), ['data', ...at, nameOf(column)], column.title)),
      { group: t('The row'), placeholder: defaultBody, label: t('Everything, as JSON') },
      ...(variables ?? []).map((name) => offer(t('Variables'), [variableRoot, name], name)),
      offer(t('What happened'), ['user', 'email'], 'user.email'),
      offer(t('What happened'), ['table', 'title'], 'table.title'),
      offer(t('What happened'), ['event', 'at'], 'event.at'),
      ...(operation === 'update'
        ? shown.map(({ title }) => offer(t('The row before the change'), ['previous', ...at, title], title))
        : []),
    ],
  };
}
