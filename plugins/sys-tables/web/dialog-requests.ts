import type { ProjectEntity } from '@trellis/sdk/shared';
import { OpenRequests, type TableDialogs } from '@trellis/sdk/web';

type ColumnsRequest = Parameters<TableDialogs['addColumnsFor']>[0];
type AddedColumns = Awaited<ReturnType<TableDialogs['addColumnsFor']>>;
type ColumnRequest = Parameters<TableDialogs['openColumnPanel']>[0];

/** The dialog to show: at most one at a time. */
export type DialogRequest =
  | { readonly kind: 'createTable'; readonly project: ProjectEntity }
  | { readonly kind: 'trash' | 'sync'; readonly project: ProjectEntity }
  | ({ readonly kind: 'column' } & ColumnRequest)
  | ({ readonly kind: 'addColumns'; readonly onAnswer: (added: AddedColumns) => void } & ColumnsRequest);

/** Takes requests for dialogs; afterwards the focus returns to its origin. */
export class DialogRequests extends OpenRequests<DialogRequest> implements TableDialogs {
  #opener: Element | null = null;

  createTable(project: ProjectEntity): void {
    this.open({ kind: 'createTable', project });
  }

  openTrash(project: ProjectEntity): void {
    this.open({ kind: 'trash', project });
  }

  openSync(project: ProjectEntity): void {
    this.open({ kind: 'sync', project });
  }

  openColumnPanel(options: ColumnRequest): void {
    this.open({ kind: 'column', ...options });
  }

  addColumnsFor(options: ColumnsRequest): Promise<AddedColumns> {
    return new Promise((resolve) => {
      const onAnswer = (added: AddedColumns): void => {
        if (this.current === request) this.close();
        resolve(added);
      };
      const request = { kind: 'addColumns', ...options, onAnswer } as const;
      this.open(request);
    });
  }

  protected override show(request: DialogRequest | undefined): void {
    const before = this.current;
    if (request !== undefined)
      this.#opener = document.activeElement === document.body ? null : document.activeElement;
    super.show(request);
    if (request === undefined) this.#giveFocusBack(before);
    // Opening another dialog leaves the question unanswered.
    else if (before?.kind === 'addColumns') before.onAnswer('cancelled');
  }

  #giveFocusBack(closed: DialogRequest | undefined): void {
    const anchor = closed?.kind === 'column' ? closed.anchor : undefined;
    // The element that opened it may be gone, such as a menu entry.
    const target = this.#opener?.isConnected === true ? this.#opener : anchor;
    if (target instanceof HTMLElement) target.focus();
  }
}
