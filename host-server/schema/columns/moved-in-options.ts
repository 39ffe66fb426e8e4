import type {
  ColumnSchema,
  MovedOptions,
  MovedText,
  MovedTexts,
  ProjectSnapshot,
  ServerColumnType,
} from '@trellis/sdk/server';
import type { RegistryView } from '@trellis/core';
import { reachedFrom } from '../../query/computed-columns.ts';
import type { FateOf } from './moved-values.ts';

/** A computed column whose options name values that change, such as a formula that compares with an option. */
export interface NamingMove {
  readonly column: ColumnSchema;
  readonly moved: MovedOptions;
}

interface MovedOptionsDependencies {
  readonly columnTypes: RegistryView<ServerColumnType>;
  /** Runs code of a column type, and names its plugin when it fails. */
  readonly contained: <T>(type: ServerColumnType, run: () => T) => T;
}

/** Finds the columns whose options name the values of a column, and makes their new options. */
export function createFindNaming({ columnTypes, contained }: MovedOptionsDependencies) {
  /** @param columnIds the column whose values change, and the columns that show them */
  return (snapshot: ProjectSnapshot, columnIds: ReadonlySet<string>, fate: FateOf): readonly NamingMove[] => {
    const moved: MovedTexts = {
      columnIds,
      reachedIds: reachedFrom(snapshot, columnTypes, columnIds),
      fateOf: (text) => movedText(text, fate),
    };
    return [...snapshot.tables.values()].flatMap((table) =>
      table.columns.flatMap((column) => {
        const type = columnTypes.get(column.type);
        const found = type && contained(type, () => type.server?.optionsMoved?.(column, moved));
        return found === undefined ? [] : [{ column, moved: found }];
      }),
    );
  };
}

function movedText(text: string, fate: FateOf): MovedText | undefined {
  const { read, value, isGone } = fate(text);
  if (!isGone && value === undefined) return undefined;
  return { to: typeof value === 'string' ? value : undefined, isExact: read === text };
}
