import type { CellValue, ProjectEntity } from '@trellis/sdk/shared';
import { readCell, useHost, useVisitedView, type ReadCell } from '@trellis/sdk/web';
import { useEffect, useMemo, useState } from 'react';
import { useLocation } from 'react-router-dom';
import type { PageField } from './form-fields.ts';

type Values = Readonly<Record<string, CellValue>>;

/** A value of the address that could not be filled in. */
export interface PrefillProblem {
  /** Undefined if the form has no such field. */
  readonly field: PageField | undefined;
  /** The field's name in the address. */
  readonly name: string;
  readonly text: string;
  /** The reason, as a sentence. */
  readonly message: string;
}

/** The values that the address fills in. */
export interface Prefilled {
  /** By column id. */
  readonly values: Values;
  readonly problems: readonly PrefillProblem[];
  /** Whether some values are still being looked up. */
  readonly isReading: boolean;
}

const prefix = 'prefill_';

/** The address's values for a field; `texts` are the values of its names. */
interface Said {
  readonly field: PageField;
  readonly name: string;
  readonly texts: readonly string[];
}

/** Reads the address: the values for fields, named by column titles, labels or ids, and the values for unknown names. */
function readAddress(search: string, fields: readonly PageField[], bare: boolean) {
  const said = new Map<PageField, Said>();
  const unknown: PrefillProblem[] = [];
  for (const [key, text] of new URLSearchParams(search)) {
    const isMarked = key.startsWith(prefix);
    if (!isMarked && !bare) continue;
    const name = isMarked ? key.slice(prefix.length) : key;
    const folded = name.toLowerCase();
    const field =
      fields.find(({ column, label, columnId }) => [column.title, label, columnId].includes(name)) ??
      fields.find(({ column, label }) => [column.title, label].some((of) => of.toLowerCase() === folded));
    if (field !== undefined)
      said.set(field, { field, name, texts: [...(said.get(field)?.texts ?? []), text] });
    else if (isMarked) unknown.push({ field, name, text, message: '' });
  }
  return { said: [...said.values()], unknown };
}

/**
 * The answers that the address fills in: `?Title=` by column title or field label; or `?prefill_Title=` on members' pages, whose
 * address has parameters of its own. Values that do not fit are reported instead.
 */
export function usePrefilled(
  fields: readonly PageField[],
  { project }: { readonly project: ProjectEntity | undefined },
): Prefilled {
  const { search } = useLocation();
  const { api, t } = useHost();
  const visit = useVisitedView();
  const address = useMemo(() => readAddress(search, fields, visit !== undefined), [search, fields, visit]);
  const [looked, setLooked] = useState<{
    readonly of: typeof address;
    readonly found: readonly (readonly [Said, ReadCell])[];
  }>();
  const asks = address.said.some(({ field }) => field.type.addressed !== undefined);

  useEffect(() => {
    if (!asks) return undefined;
    const ended = new AbortController();
    const request: typeof api.request = (of) => api.request({ ...of, signal: ended.signal });
    const look = async (said: Said): Promise<readonly (readonly [Said, ReadCell])[]> => {
      const { column, type } = said.field;
      if (type.addressed === undefined) return [];
      try {
        return [[said, await type.addressed.read(said.texts, { project, visit, column, t, request })]];
      } catch (error) {
        const message = error instanceof Error ? error.message : '';
        return [[said, { ok: false, message }]];
      }
    };
    void Promise.all(address.said.map(look)).then((found) => {
      if (!ended.signal.aborted) setLooked({ of: address, found: found.flat() });
    });
    return () => ended.abort();
  }, [asks, address, api, project, visit, t]);

  return useMemo(() => {
    const known = looked?.of === address ? looked.found : undefined;
    const read = address.said.flatMap((said): readonly (readonly [Said, ReadCell])[] => {
      const { column, type } = said.field;
      if (type.addressed !== undefined) return known?.filter(([of]) => of === said) ?? [];
      if (type.Answer !== undefined || type.takesFiles === true)
        return [[said, { ok: false, message: t('An address cannot fill in this kind of field.') }]];
      return [[said, readCell(said.texts.join(','), column, type, t)]];
    });
    const wrong = read.flatMap(([{ field, name, texts }, { ok, ...of }]) =>
      ok || !('message' in of) ? [] : [{ field, name, text: texts.join(', '), message: of.message }],
    );
    return {
      values: Object.fromEntries(
        read.flatMap(([{ field }, of]) => (of.ok ? [[field.columnId, of.value] as const] : [])),
      ),
      problems: [...wrong, ...address.unknown],
      isReading: asks && known === undefined,
    };
  }, [address, looked, asks, t]);
}

/** The part of an address that fills in the answers. */
export function addressedAnswers(fields: readonly PageField[], values: Values): string {
  const parts = fields.flatMap(({ columnId, column, type, context }) => {
    const value = values[columnId] ?? null;
    if (value === null || value === '') return [];
    const texts = type.addressed?.write(value) ?? [type.format(value, context)];
    return texts.map((text) => `${encodeURIComponent(column.title)}=${encodeURIComponent(text)}`);
  });
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}
