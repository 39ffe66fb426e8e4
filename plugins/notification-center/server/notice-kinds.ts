import { defineErrors } from '@trellis/sdk/shared';
import type { NoticeKind, ServerPluginContext } from '@trellis/sdk/server';
import { otherNotices } from '../shared/index.ts';

const kindErrors = defineErrors({
  NOTICE_KIND_UNKNOWN: { status: 400, message: "There is no kind of notifications '{kind}'." },
});

/** The kinds of notices: those of all plugins, and one for unknown kinds. */
export class NoticeKinds {
  readonly #ctx: Pick<ServerPluginContext, 'registry'>;

  constructor(ctx: Pick<ServerPluginContext, 'registry'>) {
    this.#ctx = ctx;
  }

  /** Sorted by label, with the one for unknown kinds last. */
  list(): readonly NoticeKind[] {
    const own = this.#ctx.registry('noticeKinds').list();
    return [...own.toSorted((one, next) => (one.label < next.label ? -1 : 1)), otherNotices];
  }

  /** The kind of a notice, for people's settings. */
  of(id: string): NoticeKind {
    return this.#ctx.registry('noticeKinds').get(id) ?? otherNotices;
  }

  /** Throws 400 for a kind that nobody can choose. */
  assertKnown(id: string): void {
    if (!this.list().some((kind) => kind.id === id))
      throw kindErrors.create('NOTICE_KIND_UNKNOWN', { kind: id });
  }
}
