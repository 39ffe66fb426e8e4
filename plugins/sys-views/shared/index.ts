/** A view's name, with its table. */
export interface ViewName {
  readonly id: string;
  readonly title: string;
  readonly icon: string | null;
  readonly table: { readonly id: string; readonly title: string };
}
