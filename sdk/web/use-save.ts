import { useRef, useState } from 'react';
import { ApiError } from './api.ts';
import { useAttempt, type Attempt } from './attempt.ts';
import { useHost } from './host.tsx';

/** What a form saves over, and what follows. @public */
export interface SaveOptions {
  /** The `revision` of what the form began from; null for what is yet to be made. */
  readonly revision: string | null;
  /** What the page reads again once it is saved, and where somebody else was faster. */
  readonly tags: readonly string[];
  /** The person takes what somebody else saved in the place of what they entered. */
  onTakeTheirs(this: void): void;
}

/** Somebody else saved what a form is about while it was open. @public */
export interface SaveConflict {
  /** From now on the form saves over what stands there. */
  accept(this: void): void;
  takeTheirs(this: void): void;
}

/** Saving that overwrites nobody unasked. @public */
export interface Saving extends Attempt {
  /** Undefined while nobody else saved. `Form` lets the person choose. */
  readonly conflict: SaveConflict | undefined;
  /**
   * Sends what was entered, with `replaces` for the server to compare (`requireRevision`). Resolves to whether it is saved.
   * An error that `send` throws on is told as `attempt` tells it.
   */
  save(this: void, send: (replaces: string | null) => Promise<unknown>): Promise<boolean>;
}

/** Keeps what a form must say of its saving, and over what it saves. @public */
export function useSave({ revision, tags, onTakeTheirs }: SaveOptions): Saving {
  const host = useHost();
  const attempt = useAttempt();
  /** What the next save takes the place of: the form keeps what it began from, whatever is read meanwhile. */
  const base = useRef(revision);
  /** What somebody else put there. */
  const [theirs, setTheirs] = useState<{ readonly revision: string | null }>();

  function save(send: (replaces: string | null) => Promise<unknown>): Promise<boolean> {
    setTheirs(undefined);
    return attempt.attempt(async () => {
      try {
        await send(base.current);
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'CHANGED_MEANWHILE') throw error;
        setTheirs({ revision: error.params['revision'] as string | null });
        host.invalidate(tags);
        throw error;
      }
      host.invalidate(tags);
    });
  }

  return {
    ...attempt,
    save,
    conflict: theirs && {
      accept() {
        base.current = theirs.revision;
        setTheirs(undefined);
      },
      takeTheirs: onTakeTheirs,
    },
  };
}
