/** Kinds of objects, in the order in which they are listed. */
export const objectKinds = ['view', 'function', 'procedure', 'sequence', 'trigger'] as const;
export type ObjectKind = (typeof objectKinds)[number];

/** An object as the list answers it. */
export interface ObjectEntity {
  readonly kind: ObjectKind;
  readonly id: string;
  readonly name: string;
  /** The arguments of a function, the table of a trigger. */
  readonly about: string;
}

export interface ObjectListEntity {
  readonly list: readonly ObjectEntity[];
  /** How many there are of each kind that the database knows. */
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
