/** The query of a page of signing in, from which the person is to go on to a path of this page. */
export function continueQuery(target: string): string {
  return `?continue=${encodeURIComponent(target)}`;
}
