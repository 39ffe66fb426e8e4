import type { Adoption, ColumnAdoption, ServerColumnType } from '@trellis/sdk/server';
import type { CellValue } from '@trellis/sdk/shared';

/** The project and the person that change the type of a column. */
export type Adopter = Pick<ColumnAdoption, 'projectId' | 'principalId'>;

type Adopt = NonNullable<NonNullable<ServerColumnType['server']>['adopt']>;

/** More than one transaction reads, and few enough for memory. */
const mostKept = 20_000;

/** The answers of a type about values that a column takes over. It keeps as many of the latest answers as fit. */
export class AdoptedValues {
  readonly #adopt: Adopt;
  readonly #place: Omit<ColumnAdoption, 'isTrial'>;
  readonly #answers = new Map<string, Adoption>();

  constructor(adopt: Adopt, place: Omit<ColumnAdoption, 'isTrial'>) {
    this.#adopt = adopt;
    this.#place = place;
  }

  /** Asks the type about values that are not known yet. Nulls are not asked about. */
  async ask(values: readonly CellValue[], { isTrial }: Pick<ColumnAdoption, 'isTrial'>): Promise<void> {
    const unknown = new Map<string, CellValue>();
    for (const value of values) {
      if (value === null) continue;
      const key = JSON.stringify(value);
      const known = this.#answers.get(key);
      if (known === undefined) unknown.set(key, value);
      else this.#keep(key, known);
    }
    if (unknown.size === 0) return;
    const answers = await this.#adopt([...unknown.values()], { ...this.#place, isTrial });
    for (const [at, key] of [...unknown.keys()].entries()) {
      const answer = answers[at];
      if (answer !== undefined) this.#keep(key, answer);
    }
    for (const key of this.#answers.keys()) {
      if (this.#answers.size <= mostKept) return;
      this.#answers.delete(key);
    }
  }

  knows(values: readonly CellValue[]): boolean {
    return values.every((value) => value === null || this.#answers.has(JSON.stringify(value)));
  }

  /** The answer for a value; undefined for null, and for a value that was not asked about. */
  of(value: CellValue): Adoption | undefined {
    return value === null ? undefined : this.#answers.get(JSON.stringify(value));
  }

  /** Moves an answer to the end, so that it is forgotten last. */
  #keep(key: string, answer: Adoption): void {
    this.#answers.delete(key);
    this.#answers.set(key, answer);
  }
}
