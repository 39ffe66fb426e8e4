import type { ColumnEntity, ColumnTrial, ColumnTrialSample, NamingColumn } from '@trellis/sdk/shared';
import { useApi } from '@trellis/sdk/web';
import { useEffect, useState } from 'react';
import { columnPath } from './table-requests.ts';

/** What is known of a change of a column before it is made: of the rows that were looked at. */
export interface TriedChange {
  /** `stopped`: the person did not want to wait for the rest. */
  readonly state: 'looking' | 'done' | 'stopped' | 'failed';
  readonly rows: number;
  readonly seen: number;
  readonly values: number;
  readonly lost: number;
  readonly samples: readonly ColumnTrialSample[];
  /** Formulas that name values which become others. */
  readonly naming: readonly NamingColumn[];
  /** Why it failed. */
  readonly error?: unknown;
}

const nothing: TriedChange = {
  state: 'looking',
  rows: 0,
  seen: 0,
  values: 0,
  lost: 0,
  samples: [],
  naming: [],
};
const mostSamples = 5;

/** Milliseconds in which somebody may choose something else. */
const pause = 300;

/**
 * Looks at what a change would do to the values of a column, part by part, as long as the panel is open and the change the same.
 *
 * @param body what would be sent; undefined where no value is concerned
 */
export function useColumnTrial(column: ColumnEntity | undefined, body: object | undefined) {
  const api = useApi();
  const [known, setKnown] = useState<{ readonly of: string; readonly change: TriedChange }>();
  const [stopped, setStopped] = useState<string>();
  const text = body && JSON.stringify(body);
  const columnId = column?.id;
  const isStopped = text !== undefined && text === stopped;

  useEffect(() => {
    if (columnId === undefined || text === undefined || isStopped) return undefined;
    const of = text;
    const ending = new AbortController();
    const { signal } = ending;
    async function look(): Promise<void> {
      let change = nothing;
      for (let after: string | null | undefined; ;) {
        const part = await api.request<ColumnTrial>({
          method: 'POST',
          path: `${columnPath(columnId ?? '')}/trial`,
          body: { ...(JSON.parse(of) as object), ...(after && { after }) },
          signal,
        });
        if (signal.aborted || !part.converts) return;
        change = added(change, part);
        setKnown({ of, change });
        if (!part.next) return;
        after = part.next;
      }
    }
    const timer = setTimeout(() => {
      look().catch((error: unknown) => {
        if (!signal.aborted) setKnown({ of, change: { ...nothing, state: 'failed', error } });
      });
    }, pause);
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [api, columnId, text, isStopped]);

  return {
    // Of another change than that in the panel nothing is known.
    tried: known?.of === text ? known?.change : undefined,
    stop() {
      setStopped(text);
      setKnown((at) => at && { ...at, change: { ...at.change, state: 'stopped' } });
    },
    goOn() {
      setKnown(undefined);
      setStopped(undefined);
    },
  };
}

function added(known: TriedChange, part: ColumnTrial): TriedChange {
  const samples = differentSamples([...known.samples, ...part.samples]);
  return {
    state: part.next ? 'looking' : 'done',
    rows: part.rows ?? known.rows,
    naming: part.naming ?? known.naming,
    seen: known.seen + part.seen,
    values: known.values + part.values,
    lost: known.lost + part.lost,
    samples: [
      ...samples.filter(({ lost }) => lost).slice(0, mostSamples),
      ...samples.filter(({ lost }) => !lost).slice(0, mostSamples),
    ],
  };
}

/** One of several that say the same, as all values of an option do. */
function differentSamples(samples: readonly ColumnTrialSample[]): readonly ColumnTrialSample[] {
  return [...new Map(samples.map((sample) => [JSON.stringify([sample.from, sample.to]), sample])).values()];
}
