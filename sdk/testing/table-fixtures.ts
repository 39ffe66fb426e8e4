import type { ColumnEntity, ProjectEntity, TableEntity } from '../shared/index.ts';
import { permissionsOf } from './permissions.ts';
import { defineWebColumnType, type WebColumnType } from '../web/extensions/index.ts';

const typeBasics = { icon: 'tag', accepts: [], fallback: 'Text', operators: [], examples: [] } as const;

/** A type of text that takes every text. @public */
export const textType: WebColumnType = defineWebColumnType<string>({
  ...typeBasics,
  id: 'Text',
  label: 'Text',
  storage: 'string',
  Editor: 'text',
  parse: (input) => ({ ok: true, value: typeof input === 'string' ? input : null }),
  format: (value) => value ?? '',
});

/** A type of whole numbers that refuses words. @public */
export const numberType: WebColumnType = defineWebColumnType<number>({
  ...typeBasics,
  id: 'Number',
  label: 'Number',
  storage: 'integer',
  align: 'end',
  Editor: 'text',
  parse: (input) => {
    if (input === null) return { ok: true, value: null };
    const value = Number(input);
    return Number.isNaN(value) ? { ok: false, message: 'must be a number' } : { ok: true, value };
  },
  format: (value) => (value === null ? '' : String(value)),
});

/** A column as the API gives it, of text that may be empty unless `more` says otherwise. @public */
export function aColumn(id: string, title: string, more: Partial<ColumnEntity> = {}): ColumnEntity {
  return {
    id,
    project_id: 'p_1',
    base_id: 'ds_1',
    fk_model_id: 'md_1',
    title,
    column_name: title.toLowerCase(),
    uidt: 'Text',
    storage: 'string',
    pk: false,
    pv: false,
    rqd: false,
    ai: false,
    au: false,
    cdf: null,
    system: false,
    virtual: null,
    meta: null,
    order: 1,
    ...more,
  } as ColumnEntity;
}

/** A table of these columns as the API gives it. @public */
export function aTable(columns: readonly ColumnEntity[], more: Partial<TableEntity> = {}): TableEntity {
  return { id: 'md_1', project_id: 'p_1', base_id: 'ds_1', title: 'People', columns, ...more } as TableEntity;
}

/** The project of `aTable`, as its owner sees it unless `more` names another role. @public */
export function aProject(more: Partial<ProjectEntity> = {}): ProjectEntity {
  const { role = 'owner' } = more;
  return { id: 'p_1', title: 'Demo', role, permissions: permissionsOf(role), ...more } as ProjectEntity;
}
