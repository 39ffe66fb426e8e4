import type { AggregationOf, CellValue, GroupKey, SortKey } from '../../shared/index.ts';
import type { ApiRequest } from '../api.ts';
import { ChangeCount } from './change-count.ts';
import { RefreshPace } from './refresh-pace.ts';
import { arrangeGroups, type RowGroup } from './row-groups.ts';
import type { RowsReader } from './rows-place.ts';

/** Milliseconds, as of `RefreshPace`: figures over all rows cost more than the rows in sight. */
const gapsOfTotals = [250, 1000];

/** What is asked of the rows together. */
export interface FiguresWanted {
  /** The columns by which rows are grouped. */
  readonly groups?: readonly SortKey[];
  /** The figures over all rows, and over each group. */
  readonly figures?: readonly AggregationOf[];
}

interface RowFiguresOptions {
  readonly reader: RowsReader['figures'];
  readonly request: (request: ApiRequest) => Promise<unknown>;
  /** What else decides which rows are meant, as parameters of the query. */
  readonly filtering: () => Readonly<Record<string, string>>;
}

/** Figures, told apart by what they are about: columns are moved and chosen while answers are on their way. */
interface FiguresRead {
  readonly asked: readonly AggregationOf[];
  readonly values: readonly CellValue[];
}

/** The groups of a place's rows and the figures over them, read again as often as the rows change. @public */
export class RowFigures {
  readonly #options: RowFiguresOptions;
  readonly #changes = new ChangeCount();
  readonly subscribe = this.#changes.subscribe;
  readonly #pace = new RefreshPace(() => void this.#readTotals(), gapsOfTotals);
  #wanted: FiguresWanted = {};
  #groups: readonly RowGroup[] | undefined;
  /** What the figures of the groups are, in their order. */
  #figuresOfGroups: readonly AggregationOf[] = [];
  #totals: FiguresRead | undefined;
  #error: Error | undefined;
  #reading: AbortController | undefined;
  /** How often groups were asked for, and which of these answers is shown: an older one that comes later is not. */
  #asked = 0;
  #shown = 0;

  constructor(options: RowFiguresOptions) {
    this.#options = options;
  }

  get version(): number {
    return this.#changes.version;
  }

  /** In the order in which they are shown; undefined while they are not known or rows are not grouped. */
  get groups(): readonly RowGroup[] | undefined {
    return this.#groups;
  }

  /** Why there are no groups though they were asked for. */
  get error(): Error | undefined {
    return this.#error;
  }

  /** A figure over all rows; undefined until it is read. */
  total(figure: AggregationOf): CellValue | undefined {
    return this.#totals?.values[placeOf(figure, this.#totals.asked)];
  }

  /** A figure over the rows of a group; undefined until it is read. */
  ofGroup(group: RowGroup, figure: AggregationOf): CellValue | undefined {
    return group.figures[placeOf(figure, this.#figuresOfGroups)];
  }

  /** The id of the first column by which rows are grouped. */
  get stackedBy(): string | undefined {
    return this.#wanted.groups?.[0]?.columnId;
  }

  /** How many rows have a value in that column, by the groups that were read last. */
  countOf(value: CellValue): number {
    const group = this.#groups?.find(({ level, values }) => level === 0 && values[0] === value);
    return group?.count ?? 0;
  }

  get isGrouped(): boolean {
    return (this.#wanted.groups?.length ?? 0) > 0;
  }

  /** Takes over what is asked for, and says what of it is to be read: figures in another order, or fewer, are known. */
  want(wanted: FiguresWanted): { readonly groups: boolean; readonly figures: boolean } {
    const { groups, figures = [] } = this.#wanted;
    const changed = {
      groups: !isSame(groups, wanted.groups),
      figures: (wanted.figures ?? []).some((figure) => placeOf(figure, figures) < 0),
    };
    // Groups that stay the same stay the same object, by which answers under way are told from outdated ones.
    this.#wanted = { groups: changed.groups ? wanted.groups : groups, figures: wanted.figures };
    if (!changed.groups && !changed.figures) return changed;
    if (changed.groups) {
      this.#groups = undefined;
      this.#error = undefined;
    }
    this.#changes.announce();
    return changed;
  }

  /** The parameters by which rows come in the order of their groups. */
  query(): Readonly<Record<string, string>> {
    return this.isGrouped ? { groupArrJson: groupParameter(this.#wanted.groups ?? []) } : {};
  }

  /** Reads the groups, and tells how many rows they have together. */
  async countGrouped(signal: AbortSignal): Promise<number> {
    const { reader, request } = this.#options;
    const wanted = this.#wanted;
    this.#asked += 1;
    const asked = this.#asked;
    const isCurrent = () => asked >= this.#shown && wanted.groups === this.#wanted.groups;
    try {
      const answer = await request({ ...reader.groups(this.#query()), signal, outlasts: true });
      const levels = reader.levelsIn(answer);
      if (isCurrent()) {
        this.#shown = asked;
        this.#figuresOfGroups = wanted.figures ?? [];
        this.#show(arrangeGroups(levels), undefined);
      }
      return (levels[0] ?? []).reduce((sum, { count }) => sum + count, 0);
    } catch (error) {
      // Heads that were read before would stand above other rows.
      if (!signal.aborted && isCurrent())
        this.#show(undefined, error instanceof Error ? error : new Error(String(error)));
      throw error;
    }
  }

  /** Where the last row stands that has the same values as a row in the columns of the grouping. */
  lastPlaceLike(row: Readonly<Record<string, unknown>>): number | undefined {
    const { groups = [] } = this.#wanted;
    const values = JSON.stringify(groups.map(({ columnId }) => row[columnId] ?? null));
    const group = this.#groups?.find(({ key, level }) => level === groups.length - 1 && key === values);
    return group && group.start + group.count - 1;
  }

  /** Reads the figures over all rows again, soon. */
  soon(): void {
    if ((this.#wanted.figures?.length ?? 0) > 0) this.#pace.soon();
  }

  /** Gives up what is under way. */
  stop(): void {
    this.#pace.stop();
    this.#reading?.abort();
    this.#reading = undefined;
  }

  async #readTotals(): Promise<void> {
    const { reader, request } = this.#options;
    this.#reading?.abort();
    const reading = new AbortController();
    this.#reading = reading;
    const { figures: asked = [] } = this.#wanted;
    let values: readonly CellValue[];
    try {
      values = reader.totalsIn(
        await request({ ...reader.totals(this.#query()), signal: reading.signal, outlasts: true }),
      );
    } catch {
      // What cannot be added up is shown as a dash; the rows say themselves why they cannot be read.
      values = asked.map(() => null);
    }
    if (reading.signal.aborted) return;
    this.#totals = { asked, values };
    this.#changes.announce();
  }

  #show(groups: readonly RowGroup[] | undefined, error: Error | undefined): void {
    this.#groups = groups;
    this.#error = error;
    this.#changes.announce();
  }

  #query(): Readonly<Record<string, string>> {
    const asked = this.#wanted.figures?.map(({ columnId, aggregation }) => ({
      column: columnId,
      aggregation,
    }));
    return {
      ...this.#options.filtering(),
      ...this.query(),
      ...(asked === undefined || asked.length === 0 ? {} : { aggregations: JSON.stringify(asked) }),
    };
  }
}

/** The columns of a grouping as they travel. */
export function groupParameter(keys: readonly GroupKey[]): string {
  return JSON.stringify(keys.map(({ columnId, ...key }) => ({ fk_column_id: columnId, ...key })));
}

/** -1 where it is not among them. */
function placeOf({ columnId, aggregation }: AggregationOf, figures: readonly AggregationOf[]): number {
  return figures.findIndex((each) => each.columnId === columnId && each.aggregation === aggregation);
}

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left ?? []) === JSON.stringify(right ?? []);
}
