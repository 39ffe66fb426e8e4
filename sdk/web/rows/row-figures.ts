import type { AggregationOf, CellValue, GroupKey, SortKey } from '../../shared/index.ts';
import type { ApiRequest } from '../api.ts';
import { ChangeCount } from './change-count.ts';
import { RefreshPace } from './refresh-pace.ts';
import { arrangeGroups, type RowGroup } from './row-groups.ts';
import type { RowsReader } from './rows-place.ts';

/** Milliseconds, as in `RefreshPace`: aggregations over all rows cost more than the visible rows. */
const gapsOfTotals = [250, 1000];

/** The requested groups and aggregations. */
export interface FiguresWanted {
  /** The columns by which rows are grouped. */
  readonly groups?: readonly SortKey[];
  /** The aggregations over all rows, and over each group. */
  readonly figures?: readonly AggregationOf[];
}

interface RowFiguresOptions {
  readonly reader: RowsReader['figures'];
  readonly request: (request: ApiRequest) => Promise<unknown>;
  /** Further query parameters that determine the rows. */
  readonly filtering: () => Readonly<Record<string, string>>;
}

/** Aggregations with their columns, since columns may be moved and chosen while requests are running. */
interface FiguresRead {
  readonly asked: readonly AggregationOf[];
  readonly values: readonly CellValue[];
}

/** The groups of a place's rows and the aggregations over them, reloaded as the rows change. @public */
export class RowFigures {
  readonly #options: RowFiguresOptions;
  readonly #changes = new ChangeCount();
  readonly subscribe = this.#changes.subscribe;
  readonly #pace = new RefreshPace(() => void this.#readTotals(), gapsOfTotals);
  #wanted: FiguresWanted = {};
  #groups: readonly RowGroup[] | undefined;
  /** The aggregations of the groups, in order. */
  #figuresOfGroups: readonly AggregationOf[] = [];
  #totals: FiguresRead | undefined;
  #error: Error | undefined;
  #reading: AbortController | undefined;
  /** The number of requests for groups, and which answer is shown: an older one that arrives later is ignored. */
  #asked = 0;
  #shown = 0;

  constructor(options: RowFiguresOptions) {
    this.#options = options;
  }

  get version(): number {
    return this.#changes.version;
  }

  /** In the order of display; undefined while unknown or if rows are not grouped. */
  get groups(): readonly RowGroup[] | undefined {
    return this.#groups;
  }

  /** Why the groups could not be loaded. */
  get error(): Error | undefined {
    return this.#error;
  }

  /** An aggregation over all rows; undefined until it is loaded. */
  total(figure: AggregationOf): CellValue | undefined {
    return this.#totals?.values[placeOf(figure, this.#totals.asked)];
  }

  /** An aggregation over the rows of a group; undefined until it is loaded. */
  ofGroup(group: RowGroup, figure: AggregationOf): CellValue | undefined {
    return group.figures[placeOf(figure, this.#figuresOfGroups)];
  }

  /** The id of the first grouping column. */
  get stackedBy(): string | undefined {
    return this.#wanted.groups?.[0]?.columnId;
  }

  /** How many rows have a value in that column, by the last loaded groups. */
  countOf(value: CellValue): number {
    const group = this.#groups?.find(({ level, values }) => level === 0 && values[0] === value);
    return group?.count ?? 0;
  }

  get isGrouped(): boolean {
    return (this.#wanted.groups?.length ?? 0) > 0;
  }

  /** Stores what is requested, and returns what of it must be loaded: aggregations in another order, or fewer, are known. */
  want(wanted: FiguresWanted): { readonly groups: boolean; readonly figures: boolean } {
    const { groups, figures = [] } = this.#wanted;
    const changed = {
      groups: !isSame(groups, wanted.groups),
      figures: (wanted.figures ?? []).some((figure) => placeOf(figure, figures) < 0),
    };
    // Unchanged groups stay the same object, which distinguishes running requests from outdated ones.
    this.#wanted = { groups: changed.groups ? wanted.groups : groups, figures: wanted.figures };
    if (!changed.groups && !changed.figures) return changed;
    if (changed.groups) {
      this.#groups = undefined;
      this.#error = undefined;
    }
    this.#changes.announce();
    return changed;
  }

  /** The query parameters that sort rows by their groups. */
  query(): Readonly<Record<string, string>> {
    return this.isGrouped ? { groupArrJson: groupParameter(this.#wanted.groups ?? []) } : {};
  }

  /** Loads the groups, and returns the number of all their rows. */
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
      // Headings loaded before would be above other rows.
      if (!signal.aborted && isCurrent())
        this.#show(undefined, error instanceof Error ? error : new Error(String(error)));
      throw error;
    }
  }

  /** The last index of the rows with the same values in the grouping columns as a given row. */
  lastPlaceLike(row: Readonly<Record<string, unknown>>): number | undefined {
    const { groups = [] } = this.#wanted;
    const values = JSON.stringify(groups.map(({ columnId }) => row[columnId] ?? null));
    const group = this.#groups?.find(({ key, level }) => level === groups.length - 1 && key === values);
    return group && group.start + group.count - 1;
  }

  /** Reloads the aggregations over all rows soon. */
  soon(): void {
    if ((this.#wanted.figures?.length ?? 0) > 0) this.#pace.soon();
  }

  /** Cancels running requests. */
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
      // An aggregation that failed is shown as a dash; the rows themselves show why they cannot be read.
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

/** The grouping columns as a query parameter. */
export function groupParameter(keys: readonly GroupKey[]): string {
  return JSON.stringify(keys.map(({ columnId, ...key }) => ({ fk_column_id: columnId, ...key })));
}

/** -1 if it is not among them. */
function placeOf({ columnId, aggregation }: AggregationOf, figures: readonly AggregationOf[]): number {
  return figures.findIndex((each) => each.columnId === columnId && each.aggregation === aggregation);
}

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left ?? []) === JSON.stringify(right ?? []);
}
