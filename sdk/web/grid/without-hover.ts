/** True on a screen that is worked by fingers alone: nothing may then depend on hovering, nor raise its keyboard unasked. */
export function isWithoutHover(): boolean {
  // Asked for every row that is drawn: the query is made once.
  query ??= typeof matchMedia === 'function' ? matchMedia('(hover: none)') : { matches: false };
  return query.matches;
}

let query: { readonly matches: boolean } | undefined;
