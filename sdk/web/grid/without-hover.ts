/** True on a touch screen without a mouse: nothing may depend on hovering there, or open the screen keyboard unasked. */
export function isWithoutHover(): boolean {
  // Called for every drawn row, so the query is created once.
  query ??= typeof matchMedia === 'function' ? matchMedia('(hover: none)') : { matches: false };
  return query.matches;
}

let query: { readonly matches: boolean } | undefined;
