/** A view by its name, with the table that it shows. */
export interface ViewName {
  readonly id: string;
  readonly title: string;
  readonly icon: string | null;
  readonly table: { readonly id: string; readonly title: string };
}
