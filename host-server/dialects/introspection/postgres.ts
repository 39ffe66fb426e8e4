import { postgresTypes } from '../types/postgres.ts';
import { assembleSchema, select, type Introspection } from './default.ts';

interface ColumnRow {
  readonly of: string;
  readonly table_kind: string;
  readonly name: string | null;
  readonly native: string;
  readonly enum_labels: string | null;
  readonly required: boolean;
  readonly fallback: string | null;
  readonly identity: string;
  readonly generated: string;
}

interface UniqueRow {
  readonly of: string;
  readonly name: string;
  readonly columns: string;
}

interface ConstraintRow {
  readonly of: string;
  readonly name: string;
  readonly kind: 'p' | 'f';
  readonly columns: string;
  readonly target: string | null;
  /** `null` if it is the same schema. */
  readonly target_schema: string | null;
  readonly target_columns: string | null;
  readonly on_delete: string;
  readonly on_update: string;
}

const ACTIONS: Readonly<Record<string, string>> = {
  a: 'no action',
  r: 'restrict',
  c: 'cascade',
  n: 'set null',
  d: 'set default',
};

const NAMES_OF = (keys: string, table: string) =>
  `(select json_agg(a.attname order by k.place)::text from unnest(${keys}) with ordinality k(number, place) ` +
  `join pg_attribute a on a.attrelid = ${table} and a.attnum = k.number)`;

/** The base type of a column's domain, through any number of domains; no row for other types. */
const BASE_OF_DOMAIN =
  'with recursive below(type, modifier, required, kind) as (' +
  "select t.typbasetype, t.typtypmod, t.typnotnull, b.typtype from pg_type t join pg_type b on b.oid = t.typbasetype where t.oid = a.atttypid and t.typtype = 'd' " +
  'union all select t.typbasetype, t.typtypmod, n.required or t.typnotnull, b.typtype from below n ' +
  "join pg_type t on t.oid = n.type and t.typtype = 'd' join pg_type b on b.oid = t.typbasetype) " +
  "select type, modifier, required from below where kind <> 'd'";

export const postgresIntrospection: Introspection = {
  async hasSchema(unit, name) {
    return (await select(unit, 'select 1 as found from pg_namespace where nspname = ?', [name])).length > 0;
  },

  async read(unit) {
    const columns = await select<ColumnRow>(
      unit,
      'select t.relname::text as of, t.relkind::text as table_kind, a.attname::text as name, ' +
        'format_type(coalesce(base.type, a.atttypid), coalesce(base.modifier, a.atttypmod)) as native, ' +
        '(select json_agg(e.enumlabel order by e.enumsortorder)::text from pg_enum e ' +
        'where e.enumtypid = coalesce(base.type, a.atttypid)) as enum_labels, ' +
        '(a.attnotnull or coalesce(base.required, false)) as required, pg_get_expr(d.adbin, d.adrelid) as fallback, a.attidentity::text as identity, ' +
        'a.attgenerated::text as generated from pg_class t ' +
        'left join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped ' +
        `left join lateral (${BASE_OF_DOMAIN}) base on true ` +
        'left join pg_attrdef d on d.adrelid = t.oid and d.adnum = a.attnum ' +
        "where t.relnamespace = (select oid from pg_namespace where nspname = current_schema()) and t.relkind in ('r', 'p', 'v', 'm', 'f') " +
        'and not t.relispartition order by t.relname, a.attnum',
    );
    const constraints = await select<ConstraintRow>(
      unit,
      `select t.relname::text as of, c.conname::text as name, c.contype::text as kind, ${NAMES_OF('c.conkey', 'c.conrelid')} as columns, ` +
        `f.relname::text as target, (select n.nspname::text from pg_namespace n where n.oid = f.relnamespace and n.oid <> t.relnamespace) as target_schema, ${NAMES_OF('c.confkey', 'c.confrelid')} as target_columns, ` +
        'c.confdeltype::text as on_delete, c.confupdtype::text as on_update from pg_constraint c ' +
        'join pg_class t on t.oid = c.conrelid left join pg_class f on f.oid = c.confrelid ' +
        "where t.relnamespace = (select oid from pg_namespace where nspname = current_schema()) and c.contype in ('p', 'f') " +
        'order by t.relname, c.conname',
    );
    // A unique index without a constraint means the same, unless it is partial or indexes expressions.
    const unique = await select<UniqueRow>(
      unit,
      `select t.relname::text as of, n.relname::text as name, ${NAMES_OF('(i.indkey::int2[])[0:i.indnkeyatts - 1]', 'i.indrelid')} as columns ` +
        'from pg_index i join pg_class t on t.oid = i.indrelid join pg_class n on n.oid = i.indexrelid ' +
        'where t.relnamespace = (select oid from pg_namespace where nspname = current_schema()) and i.indisunique and not i.indisprimary ' +
        'and i.indisvalid and i.indpred is null and i.indexprs is null order by t.relname, n.relname',
    );
    const named = (json: string | null) => JSON.parse(json ?? '[]') as string[];
    return assembleSchema({
      tables: [
        ...new Map(
          columns.map(({ of, table_kind: kind }) => [
            of,
            { name: of, kind: kind === 'v' || kind === 'm' ? ('view' as const) : ('table' as const) },
          ]),
        ).values(),
      ],
      columns: columns
        .filter((column): column is ColumnRow & { name: string } => column.name !== null)
        .map((column) => ({
          of: column.of,
          name: column.name,
          native: column.native,
          reading:
            column.enum_labels === null
              ? postgresTypes.read(column.native)
              : {
                  kind: 'text' as const,
                  uidt: 'SingleSelect',
                  editable: true,
                  choices: named(column.enum_labels),
                },
          nullable: !column.required,
          ...(column.fallback === null || column.generated !== '' ? {} : { default: column.fallback }),
          autoIncrement: column.identity !== '' || (column.fallback ?? '').startsWith('nextval('),
          computed: column.generated !== '' || column.identity === 'a',
        })),
      primaryKeys: new Map(
        constraints.filter(({ kind }) => kind === 'p').map((key) => [key.of, named(key.columns)]),
      ),
      foreignKeys: constraints
        .filter(({ kind }) => kind === 'f')
        .map((key) => ({
          of: key.of,
          name: key.name,
          columns: named(key.columns),
          table: key.target ?? '',
          schema: key.target_schema,
          references: named(key.target_columns),
          onDelete: ACTIONS[key.on_delete] ?? 'no action',
          onUpdate: ACTIONS[key.on_update] ?? 'no action',
        })),
      uniqueKeys: unique.map((key) => ({ of: key.of, name: key.name, columns: named(key.columns) })),
    });
  },
};
