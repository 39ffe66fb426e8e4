import type { ColumnEntity, ColumnTrial, ColumnTrialSample, NamingColumn } from '@trellis/sdk/shared';
import { useApi } from '@trellis/sdk/web';
import { useEffect, useState } from 'react';
import { columnPath } from './table-requests.ts';

/** What is known about a column's change before it is made, from the rows examined so far. */
export interface TriedChange {
  /** `stopped`: the person did not wait for the rest. */
  readonly state: 'looking' | 'done' | 'stopped' | 'failed';
  readonly rows: number;
  readonly seen: number;
  readonly values: number;
  readonly lost: number;
  readonly samples: readonly ColumnTrialSample[];
  /** Formulas that contain values which change. */
  readonly naming: readonly NamingColumn[];
  /** The error of a failed trial. */
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

/** Milliseconds to wait for a further choice. */
const pause = 300;

/**
 * Checks what a change would do to a column's values, part by part, while the panel is open and the change stays the same.
 *
 * @param body the change's request body; undefined if it affects no values
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
    // A result of another change does not apply.
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

/** One of several equal samples: all values of an option give the same. */
function differentSamples(samples: readonly ColumnTrialSample[]): readonly ColumnTrialSample[] {
  return [...new Map(samples.map((sample) => [JSON.stringify([sample.from, sample.to]), sample])).values()];
}
