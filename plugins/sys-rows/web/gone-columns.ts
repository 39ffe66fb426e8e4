import type { CellValue, ColumnEntity, TableEntity } from '@trellis/sdk/shared';
import { showCell, useHost, useRegistry, type WebColumnType } from '@trellis/sdk/web';
import { useEffect, useRef, type RefObject } from 'react';

/** Values by column id. */
type ByColumn<T> = Readonly<Record<string, T>>;

/** Keeps only the values of columns that the table still has. */
export function ofTable<T>(kept: ByColumn<T>, { columns }: TableEntity): ByColumn<T> {
  const ids = new Set(columns?.map(({ id }) => id) ?? Object.keys(kept));
  return Object.keys(kept).every((id) => ids.has(id))
    ? kept
    : Object.fromEntries(Object.entries(kept).filter(([id]) => ids.has(id)));
}

export function withoutColumns<T>(kept: ByColumn<T>, columnIds: readonly string[]): ByColumn<T> {
  return Object.fromEntries(Object.entries(kept).filter(([id]) => !columnIds.includes(id)));
}

/** The text typed into a field that disappeared. */
export interface LostText {
  readonly text: string;
  /** The fields' generation: they start again when all edits are discarded. */
  readonly round: number;
}

interface KeptOfColumns {
  readonly edits: ByColumn<CellValue>;
  readonly problems: ByColumn<string>;
  /** By column id; emptied as soon as the person was told. */
  readonly lost: RefObject<Map<string, LostText>>;
  readonly round: number;
}

/** A column's last known state: when the column or its plugin is gone, nothing else has its title and type. */
interface KnownColumn {
  readonly column: ColumnEntity;
  readonly type: WebColumnType | undefined;
}

/**
 * Tells the person what they had typed for removed columns, and other typed text whose field disappeared.
 *
 * @param onTold removes the state of the removed columns, and gets the fields whose texts are lost
 */
export function useTellGone(
  { edits, problems, lost, round }: KeptOfColumns,
  { columns }: TableEntity,
  onTold: (gone: readonly string[], lost: readonly string[]) => void,
): void {
  const { t, toast } = useHost();
  const types = useRegistry('columnTypes');
  const known = useRef(new Map<string, KnownColumn>());
  useEffect(() => {
    if (columns === undefined) return;
    const isGone = (id: string) => columns.every((column) => column.id !== id);
    const typed = new Map(lost.current);
    lost.current.clear();
    for (const [id, text] of typed) if (text.round !== round) typed.delete(id);
    const gone = [...new Set([...Object.keys(edits), ...Object.keys(problems)])].filter(isGone);
    for (const id of new Set([...gone, ...typed.keys()])) {
      const of = known.current.get(id);
      if (of === undefined) continue;
      const { column, type } = of;
      const { title } = column;
      // A value that its field hides is not shown elsewhere.
      const text = type?.isCovered === true ? '' : (typed.get(id)?.text ?? showCell(edits[id], column, type));
      toast({
        severity: 'warn',
        summary: isGone(id)
          ? t('The column “{{title}}” was taken away while you typed.', { title })
          : t('There is no field any more for what you typed for “{{title}}”.', { title }),
        ...(text !== '' && { detail: text }),
        life: 15_000,
      });
    }
    for (const column of columns) {
      const type = types.find(({ id }) => id === column.uidt) ?? known.current.get(column.id)?.type;
      known.current.set(column.id, { column, type });
    }
    if (gone.length + typed.size > 0) onTold(gone, [...typed.keys()]);
    // After each render, because fields disappear for many reasons.
  });
}
