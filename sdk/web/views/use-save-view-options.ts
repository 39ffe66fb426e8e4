import type { ViewEntity } from '../../shared/index.ts';
import { useHost } from '../host.tsx';

type Options = Readonly<Record<string, unknown>>;

/** The saves of one view that this page has sent. */
interface SaveLine {
  /** Settles with the last of them; never rejects. */
  last: Promise<unknown>;
  /** What the last one made of what was read; undefined before the first, and after one that was refused. */
  made?: { readonly read: Options; readonly stored: Options } | undefined;
}

const lines = new WeakMap<object, Map<string, SaveLine>>();

/**
 * Saves the options of a view, one call after another: what others changed since `before` was read stays as they made it, and so does what
 * this page has saved and not read again yet. Throws `ApiError` 409 `OPTIONS_CHANGED` where others changed the same option.
 *
 * @public
 */
export function useSaveViewOptions({
  id,
  fk_model_id: tableId,
}: ViewEntity): (options: Options, before: Options) => Promise<void> {
  const { api, invalidate } = useHost();
  return (options, before) => {
    const path = `/api/v1/db/meta/views/${encodeURIComponent(id)}`;
    const line = lineOf(api, id);
    const sent = line.last.then(async () => {
      const stored = line.made !== undefined && isSame(line.made.read, before) ? line.made.stored : before;
      const wanted = stored === before ? options : changed(stored, before, options);
      line.made = undefined;
      try {
        await api.request({ method: 'PATCH', path, body: { meta: wanted, meta_before: stored } });
        line.made = { read: before, stored: wanted };
      } finally {
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
  const line = ofApi.get(viewId) ?? { last: Promise.resolve() };
  ofApi.set(viewId, line);
  return line;
}

/** The stored options with what a person changed who saw `before`. */
function changed(stored: Options, before: Options, wanted: Options): Options {
  const next: Record<string, unknown> = { ...stored };
  for (const name of new Set([...Object.keys(before), ...Object.keys(wanted)])) {
    const [from, to, at] = [before[name], wanted[name], stored[name]];
    if (isSame(from, to)) continue;
    if (to === undefined) delete next[name];
    else next[name] = isObject(from) && isObject(to) && isObject(at) ? changed(at, from, to) : to;
  }
  return next;
}

function isObject(value: unknown): value is Options {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isSame(one: unknown, other: unknown): boolean {
  return Object.is(one, other) || JSON.stringify(one) === JSON.stringify(other);
}
