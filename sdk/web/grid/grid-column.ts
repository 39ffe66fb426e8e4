import type { ColumnEntity } from '../../shared/index.ts';
import { editedText, editorOfColumn, formatCell, type ReadCell, readCell, readTyped } from '../columns.ts';
import type { Translate } from '../context.ts';
import type { EditorProps, WebColumnType } from '../extensions/index.ts';
import type { ComponentType } from 'react';

/** A column of the table as the grid shows it. @public */
export interface GridColumn {
  readonly entity: ColumnEntity;
  /** Undefined while no plugin provides it: the values are shown as stored. */
  readonly type: WebColumnType | undefined;
  /** Pixels. */
  readonly width: number;
  /** Stays visible at the start while the others scroll, if the grid is wide enough for it. */
  readonly frozen?: boolean;
  /** The sort direction shown in its title. */
  readonly sort?: 'asc' | 'desc';
  /** Why its cells are read-only here, as a text; undefined if they can be edited. */
  readonly whyReadOnly?: string;
}

/** Why its cells cannot be pasted into, filled or emptied, as a text; undefined if they can. */
export function whyNotPasted({ type, whyReadOnly }: GridColumn): string | undefined {
  return type?.writeCells === undefined ? whyReadOnly : undefined;
}

/** The meaning of a cell's value beyond its text, so that cells with the same meaning can receive it. */
export function meaningOf({ type, entity }: GridColumn): string | undefined {
  return type?.meaningOf?.(entity);
}

/** Whether the grid's own text area edits the value as text, in place. */
export function editsInPlace({ entity, type }: GridColumn): boolean {
  return type !== undefined && type.toggle === undefined && typeof editorOfColumn(entity, type) === 'string';
}

/** The component that edits a cell, if its type has one. */
export function editorOf({ entity, type }: GridColumn): ComponentType<EditorProps> | undefined {
  const editor = type && editorOfColumn(entity, type);
  return typeof editor === 'string' ? undefined : editor;
}

/** The text for copying. */
export function textOfValue(value: unknown, { entity, type }: GridColumn): string {
  return formatCell(value, entity, type);
}

/** The initial text of an editor. */
export function editedTextOf(value: unknown, { entity, type }: GridColumn): string {
  return editedText(value, entity, type);
}

/** Of constant length, which does not reveal the length of the text. */
const cover = '••••••••';

/** The text of a cell for display before anybody reveals it: in place of its value, or in a message. */
export function shownText(text: string, { type }: GridColumn): string {
  return type?.isCovered === true && text !== '' ? cover : text;
}

/** Parses a pasted text. */
export function readText(text: string, { entity, type }: GridColumn, t: Translate): ReadCell {
  return readCell(text, entity, type, t);
}

/** Parses a typed text. */
export function readTypedText(text: string, { entity, type }: GridColumn, t: Translate): ReadCell {
  return readTyped(text, entity, type, t);
}
