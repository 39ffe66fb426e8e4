/** Kinds of objects, in the order of the list. */
export const objectKinds = ['view', 'function', 'procedure', 'sequence', 'trigger', 'index'] as const;
export type ObjectKind = (typeof objectKinds)[number];

/** An object in answers. */
export interface ObjectEntity {
  readonly kind: ObjectKind;
  readonly id: string;
  readonly name: string;
  /** The arguments of a function, the table of a trigger or an index. */
  readonly about: string;
}

/** The unique name of an object in its database: functions share names, and so do indexes of different tables. */
export function titleOf({ kind, name, about }: Omit<ObjectEntity, 'id'>): string {
  if (kind === 'function' || kind === 'procedure') return `${name}(${about})`;
  return about === '' ? name : `${name} (${about})`;
}

/** The key of an object's tab: its database, then its id there. */
export const keyOf = (baseId: string, id: string): string => `${baseId}:${id}`;

export interface ObjectListEntity {
  readonly list: readonly ObjectEntity[];
  /** The number of objects of each kind that the database has. */
  readonly counts: Readonly<Partial<Record<ObjectKind, number>>>;
}

/** A column of a view, or a parameter of a function. */
export interface PartEntity {
  readonly name: string;
  readonly type: string;
  readonly mode?: string;
}

export interface ObjectDetailsEntity extends ObjectEntity {
  readonly definition?: string;
  readonly columns?: readonly PartEntity[];
  readonly parameters?: readonly PartEntity[];
  readonly returns?: string;
  readonly language?: string;
}
