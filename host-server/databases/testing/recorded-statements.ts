import type { Dialect } from '../../dialects/dialect.ts';
import { createBuilder } from '../builders.ts';
import { bindKnex } from '../bound-knex.ts';
import { placeBindings } from '../compile-query.ts';
import type { Database } from '../database.ts';
import type { Session, StatementResult } from '../../sql/session.ts';
import { SessionUnit } from '../units/session-unit.ts';

/** The answer that a database would have given. */
export type Answer = (sql: string) => Partial<StatementResult>;

export interface RecordedStatements {
  /** Runs nothing: statements are recorded, and answered by `answer`. */
  readonly database: Database;
  /** The statements since the last call, with `@p0`, `@p1` for bound values and `null` for empty ones. */
  take(): readonly string[];
}

/** A database of a server that cannot run here: its statements are generated as usual, and checked instead of run. */
export function recordStatements(dialect: Dialect, answer: Answer = () => ({})): RecordedStatements {
  let statements: string[] = [];
  const session: Session = {
    async execute(sql, bindings = []) {
      statements.push(
        placeBindings(sql, bindings, (index, value) => (value === null ? 'null' : `@p${index}`)),
      );
      return { columns: [], rows: [], changes: 0, ...answer(sql) };
    },
  };
  const builder = createBuilder(dialect);
  const unit = (kind: 'reader' | 'writer') =>
    new SessionUnit({
      kind,
      session,
      dialect,
      bindKnex: (bound) =>
        bindKnex(builder, bound, (query, { rows }) => {
          query.response = rows;
        }),
    });
  const database: Database = {
    name: 'recorded',
    dialect,
    builder,
    get: async (statement) => (await unit('reader').rows(statement)).rows[0],
    read: (work) => work(unit('reader')),
    write: (work) => work(unit('writer')),
    async *stream(query) {
      yield unit('reader').rows(query);
    },
    snapshot: async () => ({ stream: (query) => database.stream(query), close: async () => {} }),
    schema: (work) => work(dialect.schema.createChanger(session), unit('writer')),
    ping: async () => {},
    close: async () => {},
  };
  return {
    database,
    take() {
      const taken = statements;
      statements = [];
      return taken;
    },
  };
}
