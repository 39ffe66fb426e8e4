import { isRecord, sameJson } from '@trellis/core';
import { useEffect } from 'react';
import type { ViewEntity } from '../../shared/index.ts';
import { useHost } from '../host.tsx';
import { useViewOptions } from './use-view-columns.ts';

type Options = Readonly<Record<string, unknown>>;

/** New options of a view: complete, or computed from those that this page has saved by then. @public */
export type ViewOptionsChange = Options | ((now: Options) => Options);

/** The saves of one view by this page. */
interface SaveLine {
  /** Settles with the last of them; never rejects. */
  last: Promise<unknown>;
  /** Saves that are not answered yet. */
  count: number;
  /** The view's options before the first save that the page has not loaded again, and after each. Empty after a refusal. */
  states: readonly Options[];
  /** The options that the page shows. */
  shown?: Options;
}

const lines = new WeakMap<object, Map<string, SaveLine>>();

/** Once the page shows the last saved options, changes are based on what others save from then on. */
function forgetRead(line: SaveLine): void {
  if (line.count === 0 && sameJson(line.shown, line.states.at(-1))) line.states = [];
}

/**
 * Saves the options of a view, one call after another: changes by others since `before` was loaded are kept, and so is what this
 * page has saved and not loaded again yet. A function gets that state, for example to reset it to `before`.
 *
 * @throws ApiError 409 `OPTIONS_CHANGED` if others changed the same option
 * @public
 */
export function useSaveViewOptions(
  view: ViewEntity,
): (options: ViewOptionsChange, before: Options) => Promise<void> {
  const { id, fk_model_id: tableId } = view;
  const { api, invalidate } = useHost();
  const shown = useViewOptions(view);
  useEffect(() => {
    const line = lineOf(api, id);
    line.shown = shown;
    forgetRead(line);
  }, [api, id, shown]);
  return (options, before) => {
    const path = `/api/v1/db/meta/views/${encodeURIComponent(id)}`;
    const line = lineOf(api, id);
    line.count += 1;
    const sent = line.last.then(async () => {
      const isKnown = line.states.some((state) => sameJson(state, before));
      const stored = (isKnown ? line.states.at(-1) : undefined) ?? before;
      const wanted = wantedOf(options, before, stored);
      try {
        await api.request({ method: 'PATCH', path, body: { meta: wanted, meta_before: stored } });
        line.states = [...(isKnown ? line.states : [before]), wanted];
      } catch (error) {
        line.states = [];
        throw error;
      } finally {
        line.count -= 1;
        // The page may have loaded it before the answer arrived.
        forgetRead(line);
        invalidate([`view:${id}`, `table:${tableId}`]);
      }
    });
    line.last = sent.catch(() => undefined);
    return sent;
  };
}

function lineOf(api: object, viewId: string): SaveLine {
  const ofApi = lines.get(api) ?? new Map<string, SaveLine>();
  lines.set(api, ofApi);
  const line = ofApi.get(viewId) ?? { last: Promise.resolve(), count: 0, states: [] };
  ofApi.set(viewId, line);
  return line;
}

function wantedOf(options: ViewOptionsChange, before: Options, stored: Options): Options {
  if (typeof options === 'function') return options(stored);
  return stored === before ? options : changed(stored, before, options);
}

/** The stored options with the changes of a person who saw `before`. */
function changed(stored: Options, before: Options, wanted: Options): Options {
  const next: Record<string, unknown> = { ...stored };
  for (const name of new Set([...Object.keys(before), ...Object.keys(wanted)])) {
    const [from, to, at] = [before[name], wanted[name], stored[name]];
    if (sameJson(from, to)) continue;
    if (to === undefined) delete next[name];
    else next[name] = isRecord(from) && isRecord(to) && isRecord(at) ? changed(at, from, to) : to;
  }
  return next;
}
