/** The same without the fields that are undefined: what nobody said stays as it is where the object is laid over another one. @public */
export function withoutUndefined<T extends object>(of: T): T {
  return Object.fromEntries(Object.entries(of).filter(([, value]) => value !== undefined)) as T;
}
