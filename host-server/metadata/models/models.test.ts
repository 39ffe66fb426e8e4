import { afterEach, expect, test } from '@jest/globals';
import { describeEachMetadata } from '../testing.ts';
import { createMetadata, type Metadata } from '../metadata.ts';
import type { ColumnRow } from './column-model.ts';
import { models } from './models.ts';
import type { ProjectRow } from './project-model.ts';

/** More than a 32-bit integer holds, so that drivers may give it back as text. */
const now = 1_790_000_000_123;
const stamps = { created_at: now, updated_at: now };

const project: ProjectRow = {
  id: 'p_1',
  title: 'Shop',
  prefix: 'nc_1__',
  description: null,
  color: null,
  meta: { icon: 'cart', list: [1, 'two', null] },
  sort_order: now,
  deleted_at: null,
  ...stamps,
};

function columnRow(order: number): ColumnRow {
  return {
    id: `c_${order}`,
    project_id: project.id,
    table_id: 'm_1',
    title: `Column ${order}`,
    column_name: `column_${order}`,
    uidt: 'SingleLineText',
    storage: 'string',
    native_type: 'varchar',
    length: '255',
    precision: null,
    scale: null,
    fallback: 'SingleLineText',
    primary_key: order === 1,
    key_position: order === 1 ? 0 : null,
    auto_increment: false,
    auto_update: false,
    required: order === 1,
    is_unsigned: false,
    is_unique: false,
    display: order === 2,
    system: false,
    computed: false,
    default_value: null,
    description: order === 2 ? 'what it is for' : null,
    meta: order === 2 ? { choices: ['a'] } : null,
    link_id: null,
    sort_order: order,
    parked_at: order === 3 ? now : null,
    ...stamps,
  };
}

describeEachMetadata('the models of the metadata', (open) => {
  let metadata: Metadata | undefined;
  afterEach(() => metadata?.dispose());

  async function openDatabase() {
    metadata = await createMetadata({ database: await open(), version: '1.0.0' });
    return metadata.database;
  }

  test('give back flags as booleans, times as numbers and JSON as what was stored', async () => {
    const database = await openDatabase();
    const { ColumnModel, ProjectModel } = await models();
    const columns = Array.from({ length: 120 }, (_, index) => columnRow(index + 1));
    await database.write(async (unit) => {
      await ProjectModel.query(unit.knex).insert(project);
      await ColumnModel.insertMany(unit, columns);
    });
    await database.read(async (unit) => {
      const found = await ProjectModel.query(unit.knex).findById(project.id);
      expect(found?.toJSON()).toEqual(project);
      const kept = await ColumnModel.query(unit.knex).orderBy('sort_order');
      expect(kept.map((column) => column.toJSON())).toEqual(columns);
    });
  });

  test('change some columns of a row and empty others', async () => {
    const database = await openDatabase();
    const { ColumnModel, ProjectModel } = await models();
    const changed = await database.write(async (unit) => {
      await ProjectModel.query(unit.knex).insert(project);
      await ColumnModel.query(unit.knex).insert(columnRow(2));
      await ProjectModel.query(unit.knex).findById(project.id).patch({ meta: null, title: undefined });
      await ColumnModel.query(unit.knex)
        .findById('c_2')
        .patch({ display: false, meta: { of: 'x' } });
      return {
        project: await ProjectModel.query(unit.knex).findById(project.id),
        column: await ColumnModel.query(unit.knex).findById('c_2'),
      };
    });
    expect(changed.project?.toJSON()).toEqual({ ...project, meta: null });
    expect(changed.column?.toJSON()).toEqual({ ...columnRow(2), display: false, meta: { of: 'x' } });
  });

  test('take the JSON text of a payload that a former version wrote', async () => {
    const database = await openDatabase();
    const { ColumnModel } = await models();
    const former = { ...columnRow(2), meta: JSON.stringify({ choices: ['a'] }) };
    const rows = JSON.parse(JSON.stringify([former])) as ColumnRow[];
    await database.write((unit) => ColumnModel.insertMany(unit, rows));
    const found = await database.read(async (unit) => ColumnModel.query(unit.knex).findById('c_2'));
    expect(found?.toJSON()).toEqual(columnRow(2));
  });

  test('keep any value of a filter apart from no value', async () => {
    const database = await openDatabase();
    const { FilterModel } = await models();
    const values = ['text', '{"a":1}', 1.5, false, null, ['a', null], { a: { b: 1 } }, '', undefined];
    const filters = values.map((value, index) => ({
      id: `f_${index}`,
      project_id: project.id,
      view_id: 'v_1',
      parent_id: null,
      is_group: false,
      logical_op: 'and' as const,
      column_id: 'c_1',
      operator: 'eq',
      value,
      sort_order: index,
      ...stamps,
    }));
    await database.write((unit) => FilterModel.insertMany(unit, filters));
    const found = await database.read(async (unit) => FilterModel.query(unit.knex).orderBy('sort_order'));
    expect(found.map(({ value }) => value)).toEqual(values);
  });

  test('refuse a value that stands twice with the error of the database', async () => {
    const database = await openDatabase();
    const { AccountModel } = await models();
    const account = {
      id: 'us_1',
      email: 'ada@example.com',
      email_key: 'a'.repeat(64),
      firstname: null,
      lastname: null,
      roles: 'user,super',
      super_slot: 1,
      ...stamps,
    };
    await database.write(async (unit) => AccountModel.query(unit.knex).insert(account));
    const again = { ...account, id: 'us_2', super_slot: null };
    await expect(
      database.write(async (unit) => AccountModel.query(unit.knex).insert(again)),
    ).rejects.toMatchObject({ name: 'DatabaseError', kind: 'unique' });
    const count = await database.read(async (unit) => AccountModel.query(unit.knex).resultSize());
    expect(count).toBe(1);
  });

  test('insert a project with its base and its grant, and fetch them together', async () => {
    const database = await openDatabase();
    const { ProjectModel } = await models();
    const base = {
      id: 'b_1',
      alias: null,
      own: true,
      dialect: database.dialect.name,
      config: null,
      rules: null,
      inflection_table: 'camelize',
      inflection_column: 'none',
      ...stamps,
    };
    const grant = { account_id: 'us_1', role: 'owner' as const, created_at: now };
    await database.write(async (unit) =>
      ProjectModel.query(unit.knex).insertGraph({ ...project, bases: [base], grants: [grant] }),
    );
    const found = await database.read(async (unit) =>
      ProjectModel.query(unit.knex).findById(project.id).withGraphFetched('[bases, grants]'),
    );
    expect(found?.toJSON()).toEqual({
      ...project,
      bases: [{ ...base, project_id: project.id }],
      grants: [{ ...grant, project_id: project.id }],
    });
  });

  test('fetch a view with its columns, sorts and filters', async () => {
    const database = await openDatabase();
    const { ViewModel } = await models();
    const of = { project_id: project.id, column_id: 'c_1', sort_order: 1, ...stamps };
    const graph = {
      id: 'v_1',
      project_id: project.id,
      table_id: 'm_1',
      title: 'All',
      type: 'grid',
      is_default: true,
      show_system_fields: false,
      lock_type: 'collaborative' as const,
      owner_id: null,
      meta: null,
      sort_order: 1,
      ...stamps,
      columns: [{ id: 'vc_1', ...of, visible: true, width: null }],
      sorts: [{ id: 's_1', ...of, direction: 'desc' as const }],
      filters: [
        {
          id: 'f_1',
          ...of,
          parent_id: null,
          is_group: false,
          logical_op: 'or' as const,
          operator: 'gt',
          value: 3,
        },
      ],
    };
    await database.write(async (unit) => ViewModel.query(unit.knex).insertGraph(graph));
    const found = await database.read(async (unit) =>
      ViewModel.query(unit.knex).findById('v_1').withGraphFetched('[columns, sorts, filters]'),
    );
    expect(found?.toJSON()).toMatchObject(graph);
  });
});
