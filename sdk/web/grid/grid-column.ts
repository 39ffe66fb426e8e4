import type { ColumnEntity } from '../../shared/index.ts';
import { editedText, editorOfColumn, formatCell, type ReadCell, readCell, readTyped } from '../columns.ts';
import type { Translate } from '../context.ts';
import type { EditorProps, WebColumnType } from '../extensions/index.ts';
import type { ComponentType } from 'react';

/** A column of the table as the grid shows it. @public */
export interface GridColumn {
  readonly entity: ColumnEntity;
  /** Undefined while no plugin provides it: the values are shown as they are stored. */
  readonly type: WebColumnType | undefined;
  /** Pixels. */
  readonly width: number;
  /** Stays in sight at the start while the others scroll, as long as the grid is wide enough for it. */
  readonly frozen?: boolean;
  /** Shown in its title: how the rows are sorted by it. */
  readonly sort?: 'asc' | 'desc';
  /** Why nobody can write its cells here, in words; undefined where they can be written. */
  readonly whyReadOnly?: string;
}

/** Why nobody can paste into its cells, fill or empty them, in words; undefined where that can be done. */
export function whyNotPasted({ type, whyReadOnly }: GridColumn): string | undefined {
  return type?.writeCells === undefined ? whyReadOnly : undefined;
}

/** What a cell's value stands for beyond its text, so that cells with the same meaning can take it. */
export function meaningOf({ type, entity }: GridColumn): string | undefined {
  return type?.meaningOf?.(entity);
}

/** True when the grid's own text area edits the value as text, in place. */
export function editsInPlace({ entity, type }: GridColumn): boolean {
  return type !== undefined && type.toggle === undefined && typeof editorOfColumn(entity, type) === 'string';
}

/** The component that edits a cell, where its type brings one. */
export function editorOf({ entity, type }: GridColumn): ComponentType<EditorProps> | undefined {
  const editor = type && editorOfColumn(entity, type);
  return typeof editor === 'string' ? undefined : editor;
}

/** The text that copying gives. */
export function textOfValue(value: unknown, { entity, type }: GridColumn): string {
  return formatCell(value, entity, type);
}

/** The text that an editor starts with. */
export function editedTextOf(value: unknown, { entity, type }: GridColumn): string {
  return editedText(value, entity, type);
}

/** Always as many, so that they do not tell how long the text is. */
const cover = '••••••••';

/** A text of a cell as it is shown where nobody has asked to see it: in the place of its value, or in a message. */
export function shownText(text: string, { type }: GridColumn): string {
  return type?.isCovered === true && text !== '' ? cover : text;
}

/** Reads a text that was pasted. */
export function readText(text: string, { entity, type }: GridColumn, t: Translate): ReadCell {
  return readCell(text, entity, type, t);
}

/** Reads a text that a person typed. */
export function readTypedText(text: string, { entity, type }: GridColumn, t: Translate): ReadCell {
  return readTyped(text, entity, type, t);
}
