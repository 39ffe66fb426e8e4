/** The kind of a piece of SQL, which decides its colour. */
export type SqlKind = 'keyword' | 'string' | 'comment' | 'number' | 'plain';

export interface SqlPiece {
  readonly kind: SqlKind;
  readonly text: string;
}

const keywords = new Set(
  (
    'add after all alter always and any as asc atomic before begin between body by cache call cascade case cast check close collate column ' +
    'commit constraint continue contains create cross current_date current_timestamp cursor cycle data date declare default definer delete ' +
    'delimiter desc deterministic distinct do drop each else elseif elsif end escape except exception execute exists exit fetch for foreign ' +
    'from full function generated go grant group having if ignore immutable in increment index inner inout insert instead intersect into invoker is ' +
    'join key language lateral leave left like limit loop materialized maxvalue merge minvalue modifies new no not null of offset old on open ' +
    'or order out outer over parallel partition perform plpgsql primary procedure raise reads recursive references replace return returns ' +
    'revoke right row rows rollback security select sequence set setof signal sql stable start statement strict table then to trigger union ' +
    'unique until update using values view volatile when where while window with without'
  ).split(' '),
);

/** Comments, quoted texts, quoted names, numbers, words, and everything between them. */
const token =
  /(--[^\n]*|\/\*[\s\S]*?(?:\*\/|$))|('(?:[^']|'')*(?:'|$))|("(?:[^"]|"")*(?:"|$)|`[^`]*(?:`|$)|\[[^\]\n]*\])|(\b\d+(?:\.\d+)?\b)|([A-Za-z_][\w$]*)|([^\w'"`[\-/]+|[\s\S])/g;

/** The pieces of a statement in order; joined, they are the statement again. */
export function piecesOf(sql: string): readonly SqlPiece[] {
  const pieces: { kind: SqlKind; text: string }[] = [];
  for (const [text, comment, quoted, , number, word] of sql.matchAll(token)) {
    const isKeyword = word !== undefined && keywords.has(word.toLowerCase());
    const kind = comment
      ? 'comment'
      : quoted
        ? 'string'
        : number
          ? 'number'
          : isKeyword
            ? 'keyword'
            : 'plain';
    const last = pieces.at(-1);
    if (last?.kind === kind) last.text += text;
    else pieces.push({ kind, text });
  }
  return pieces;
}
