/** A copy without the fields that are undefined, so that spreading it over another object keeps that object's fields. @public */
export function withoutUndefined<T extends object>(of: T): T {
  return Object.fromEntries(Object.entries(of).filter(([, value]) => value !== undefined)) as T;
}
