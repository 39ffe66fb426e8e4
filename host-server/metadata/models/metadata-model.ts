import { Model, Validator, type Pojo, type ValidatorArgs } from 'objection';
import { inParts } from '../../sql/in-parts.ts';
import type { Unit } from '../../sql/unit.ts';
import { flag, json } from '../stored-values.ts';

/** Input is checked before it becomes a row, so models have no validation and need no Ajv of their own. */
class NoValidation extends Validator {
  override validate({ json: values }: ValidatorArgs): Pojo {
    return values;
  }
}

/** A class for rows of the metadata. */
export type ModelOf<Entity extends MetadataModel> = typeof MetadataModel & (new () => Entity);

type DataKey<Entity> = {
  [Key in keyof Entity]-?: NonNullable<Entity[Key]> extends MetadataModel | readonly MetadataModel[]
    ? never
    : Key;
}[keyof Entity];

/** The columns of a row, without the model's methods and relations. */
export type RowOf<Entity extends MetadataModel> = {
  readonly [Key in Exclude<DataKey<Entity>, keyof MetadataModel>]: Entity[Key];
};

/** Rows per insert statement, within every database's limit of parameters. */
const rowsAtOnce = 50;

/**
 * A row of one of our own tables. Properties are named like their columns; flags are booleans, times are milliseconds UTC and JSON
 * is parsed, whatever the driver returns.
 *
 * Models run in a given unit: `ProjectModel.query(unit.knex)`. They fail with the unit's errors, so a duplicate value rejects with
 * a `DatabaseError` of kind `unique`.
 */
export class MetadataModel extends Model {
  /** Columns that hold true or false. */
  static readonly flags: readonly string[] = [];
  /** Columns that hold numbers: times, orders, sizes. */
  static readonly numbers: readonly string[] = [];
  /** Columns that store an object as JSON. A text is taken as JSON already, since former versions stored payloads that way. */
  static readonly objects: readonly string[] = [];
  /** Columns that store any value as JSON. Undefined means that nothing is stored. */
  static readonly values: readonly string[] = [];

  static override createValidator(): Validator {
    return new NoValidation();
  }

  /** Converts a row from the driver in place. @throws SyntaxError for stored text that is no JSON. */
  static parse<Entity extends MetadataModel>(this: ModelOf<Entity>, stored: Pojo): RowOf<Entity> {
    for (const name of this.flags) if (name in stored) stored[name] = flag(stored[name]);
    for (const name of this.numbers) if (isPresent(stored[name])) stored[name] = Number(stored[name]);
    for (const name of this.objects) if (name in stored) stored[name] = json(stored[name]) ?? null;
    for (const name of this.values) if (name in stored) stored[name] = json(stored[name]);
    return stored as RowOf<Entity>;
  }

  /** Inserts rows in as few statements as databases allow; objection itself inserts them one by one on SQLite and MySQL. */
  static async insertMany<Entity extends MetadataModel>(
    this: ModelOf<Entity>,
    unit: Unit,
    rows: readonly RowOf<Entity>[],
  ): Promise<void> {
    const stored = rows.map((row) => {
      const empty = Object.fromEntries(Object.keys(row).map((name) => [name, null]));
      return { ...empty, ...this.fromJson(row).$toDatabaseJson() };
    });
    for (const part of inParts(stored, rowsAtOnce))
      await unit.run(unit.knex(this.tableName).insert([...part]));
  }

  override $parseDatabaseJson(stored: Pojo): Pojo {
    const model = this.constructor as typeof MetadataModel;
    return model.parse(super.$parseDatabaseJson(stored)) as Pojo;
  }

  override $formatDatabaseJson(values: Pojo): Pojo {
    const formatted = super.$formatDatabaseJson(values);
    const model = this.constructor as typeof MetadataModel;
    for (const name of model.objects) {
      const value: unknown = formatted[name];
      if (isPresent(value) && typeof value !== 'string') formatted[name] = JSON.stringify(value);
    }
    for (const name of model.values) if (name in formatted) formatted[name] = JSON.stringify(formatted[name]);
    return formatted;
  }
}

function isPresent(value: unknown): boolean {
  return value !== null && value !== undefined;
}
