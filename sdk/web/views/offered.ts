import type { ColumnEntity } from '../../shared/index.ts';

/** Whether a column is offered where it is not chosen yet. One that was chosen, such as over the API, is named all the same. */
export const isOffered = ({ internal }: ColumnEntity): boolean => internal !== true;
