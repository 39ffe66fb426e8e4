import type { DatabaseObjectPart } from '@trellis/sdk/server';
import type { Unit } from '../../sql/unit.ts';
import { select } from '../introspection/default.ts';
import { limitTo, type ObjectCatalogue, type ObjectDetails } from './default.ts';

const SCHEMA = '(select oid from pg_namespace where nspname = current_schema())';
const ARGUMENTS = 'pg_get_function_identity_arguments(p.oid)';

/** Objects of extensions are left out: an extension may have hundreds, and they come and go with it. */
const ofNoExtension = (catalogue: string, oid: string) =>
  `not exists (select 1 from pg_depend e where e.classid = '${catalogue}'::regclass and e.objid = ${oid} and e.deptype = 'e')`;

const relations = (kind: string, kinds: string) =>
  `select '${kind}' as kind, c.relname::text as id, c.relname::text as name, '' as about from pg_class c ` +
  `where c.relnamespace = ${SCHEMA} and c.relkind in (${kinds}) and ${ofNoExtension('pg_class', 'c.oid')}`;

const ALL = [
  relations('view', "'v', 'm'"),
  relations('sequence', "'S'"),
  `select case p.prokind when 'p' then 'procedure' else 'function' end, p.proname || '(' || ${ARGUMENTS} || ')', p.proname::text, ` +
    `${ARGUMENTS} from pg_proc p where p.pronamespace = ${SCHEMA} and ${ofNoExtension('pg_proc', 'p.oid')}`,
  "select 'trigger', t.tgname || ' on ' || c.relname, t.tgname::text, c.relname::text from pg_trigger t " +
    `join pg_class c on c.oid = t.tgrelid where c.relnamespace = ${SCHEMA} and not t.tgisinternal`,
  "select 'index', c.relname::text, c.relname::text, o.relname::text from pg_index i join pg_class c on c.oid = i.indexrelid " +
    `join pg_class o on o.oid = i.indrelid where c.relnamespace = ${SCHEMA} and ${ofNoExtension('pg_class', 'o.oid')}`,
].join(' union all ');

const MODES: Readonly<Record<string, DatabaseObjectPart['mode']>> = {
  i: 'in',
  o: 'out',
  b: 'inout',
  v: 'variadic',
  t: 'out',
};

interface FunctionRow {
  readonly oid: string;
  readonly definition: string | null;
  readonly returns: string | null;
  readonly language: string;
}

interface SequenceRow {
  readonly type: string;
  readonly start: string;
  readonly step: string;
  readonly least: string;
  readonly most: string;
  readonly cache: string;
  readonly cycles: boolean;
}

/** The catalogue of the schema that the connection is in. */
export const postgresObjects: ObjectCatalogue = {
  kinds: ['view', 'function', 'procedure', 'sequence', 'trigger', 'index'],
  first: limitTo,
  all: () => ({ sql: ALL, bindings: [] }),
  async read(unit, { kind, id, name }) {
    switch (kind) {
      case 'view':
        return readView(unit, name);
      case 'sequence':
        return readSequence(unit, name);
      case 'trigger':
        return readTrigger(unit, id);
      case 'index':
        return readIndex(unit, name);
      case 'function':
      case 'procedure':
        return readFunction(unit, id);
    }
  },
};

async function readView(unit: Unit, name: string): Promise<ObjectDetails> {
  const [view] = await select<{ definition: string | null; kind: string }>(
    unit,
    `select pg_get_viewdef(oid, true) as definition, relkind::text as kind from pg_class where relnamespace = ${SCHEMA} and relname = ?`,
    [name],
  );
  const columns = await select<{ name: string; type: string }>(
    unit,
    'select a.attname::text as name, format_type(a.atttypid, a.atttypmod) as type from pg_attribute a join pg_class c on c.oid = a.attrelid ' +
      `where c.relnamespace = ${SCHEMA} and c.relname = ? and a.attnum > 0 and not a.attisdropped order by a.attnum`,
    [name],
  );
  const quoted = quote(name);
  const made = view?.kind === 'm' ? `CREATE MATERIALIZED VIEW ${quoted} AS` : `CREATE VIEW ${quoted} AS`;
  return { columns, ...(view?.definition && { definition: `${made}\n${view.definition}` }) };
}

async function readFunction(unit: Unit, id: string): Promise<ObjectDetails> {
  const [found] = await select<FunctionRow>(
    unit,
    "select p.oid::text as oid, case when p.prokind = 'a' then null else pg_get_functiondef(p.oid) end as definition, " +
      'pg_get_function_result(p.oid) as returns, l.lanname::text as language from pg_proc p join pg_language l on l.oid = p.prolang ' +
      `where p.pronamespace = ${SCHEMA} and p.proname || '(' || ${ARGUMENTS} || ')' = ?`,
    [id],
  );
  if (found === undefined) return {};
  const parts = await select<{ name: string; mode: string; type: string }>(
    unit,
    "select coalesce(p.proargnames[a.place], '') as name, coalesce(p.proargmodes[a.place]::text, 'i') as mode, format_type(a.type, null) as type " +
      'from pg_proc p, unnest(coalesce(p.proallargtypes, p.proargtypes::oid[])) with ordinality a(type, place) ' +
      'where p.oid = ?::oid order by a.place',
    [found.oid],
  );
  const parameters = parts.map(({ name, mode, type }) => ({ name, type, mode: MODES[mode] ?? 'in' }));
  const { definition, returns, language } = found;
  return {
    parameters,
    language,
    ...(definition !== null && { definition: definition.trimEnd() }),
    ...(returns !== null && { returns }),
  };
}

async function readTrigger(unit: Unit, id: string): Promise<ObjectDetails> {
  const [found] = await select<{ definition: string }>(
    unit,
    'select pg_get_triggerdef(t.oid, true) as definition from pg_trigger t join pg_class c on c.oid = t.tgrelid ' +
      `where c.relnamespace = ${SCHEMA} and not t.tgisinternal and t.tgname || ' on ' || c.relname = ?`,
    [id],
  );
  return { ...found };
}

async function readIndex(unit: Unit, name: string): Promise<ObjectDetails> {
  const [found] = await select<{ definition: string }>(
    unit,
    'select pg_get_indexdef(i.indexrelid) as definition from pg_index i join pg_class c on c.oid = i.indexrelid ' +
      `where c.relnamespace = ${SCHEMA} and c.relname = ?`,
    [name],
  );
  return { ...found };
}

/** PostgreSQL gives no statement for a sequence, so it is written from the catalogue. */
async function readSequence(unit: Unit, name: string): Promise<ObjectDetails> {
  const [found] = await select<SequenceRow>(
    unit,
    'select format_type(s.seqtypid, null) as type, s.seqstart::text as start, s.seqincrement::text as step, s.seqmin::text as least, ' +
      's.seqmax::text as most, s.seqcache::text as cache, s.seqcycle as cycles from pg_sequence s join pg_class c on c.oid = s.seqrelid ' +
      `where c.relnamespace = ${SCHEMA} and c.relname = ?`,
    [name],
  );
  if (found === undefined) return {};
  const { type, start, step, least, most, cache, cycles } = found;
  const definition = [
    `CREATE SEQUENCE ${quote(name)} AS ${type}`,
    `  INCREMENT BY ${step}`,
    `  MINVALUE ${least}`,
    `  MAXVALUE ${most}`,
    `  START WITH ${start}`,
    `  CACHE ${cache}`,
    cycles ? '  CYCLE' : '  NO CYCLE',
  ].join('\n');
  return { definition, returns: type };
}

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`;
