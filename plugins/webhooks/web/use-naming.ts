import {
  cellShapes,
  placeholderFor,
  variableRoot,
  variablesShape,
  type TableEntity,
  type TemplateShape,
} from '@trellis/sdk/shared';
import { useT, useVariableNames } from '@trellis/sdk/web';
import type { TemplateNaming } from '@trellis/sdk/web/ui';
import { defaultBody, eventValues, type HookOperation } from '../shared/index.ts';

interface Told {
  readonly operation: HookOperation;
  /** Whether several rows go in one message. */
  readonly isBatch: boolean;
}

const values = (names: readonly string[]): TemplateShape => ({
  names: Object.fromEntries(names.map((name) => [name, 'value' as const])),
});

/** What the templates of a webhook may name. */
export function useNaming(table: TableEntity, { operation, isBatch }: Told): TemplateNaming {
  const t = useT();
  const variables = useVariableNames(table.project_id);
  const columns = table.columns ?? [];
  const row: TemplateShape = { names: cellShapes(columns) };
  const told: TemplateShape = isBatch ? { each: row } : row;
  const offer = (group: string, path: readonly string[], label: string) => ({
    group,
    placeholder: placeholderFor(path),
    label,
  });
  const titles = columns.filter(({ system }) => system !== true).map(({ title }) => title);
  const at = isBatch ? ['0'] : [];
  return {
    shape: {
      names: {
        data: told,
        row: told,
        previous: operation === 'update' ? told : 'value',
        user: values(['id', 'email']),
        table: values(['id', 'title']),
        event: { names: Object.fromEntries(eventValues.map((name) => [name, 'any' as const])) },
        hook: values(['id', 'title']),
        [variableRoot]: variables === undefined ? 'any' : variablesShape(variables),
      },
    },
    offered: [
      ...titles.map((title) => offer(t('The row'), ['data', ...at, title], title)),
      { group: t('The row'), placeholder: defaultBody, label: t('Everything, as JSON') },
      ...(variables ?? []).map((name) => offer(t('Variables'), [variableRoot, name], name)),
      offer(t('What happened'), ['user', 'email'], 'user.email'),
      offer(t('What happened'), ['table', 'title'], 'table.title'),
      offer(t('What happened'), ['event', 'at'], 'event.at'),
      ...(operation === 'update'
        ? titles.map((title) => offer(t('The row before the change'), ['previous', ...at, title], title))
        : []),
    ],
  };
}
