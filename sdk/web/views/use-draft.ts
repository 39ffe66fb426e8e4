import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { askBeforeLeaving } from '../ask-before-leaving.ts';
import { ApiError, type ApiRequest } from '../api.ts';
import { messageOfError } from '../attempt.ts';
import { useHost } from '../host.tsx';

/** How a value is read, saved and compared. @public */
export interface DraftOptions<Value, Answer> {
  /** What the server has, once it has answered. */
  readonly saved: Value;
  readonly isSame: (left: Value, right: Value) => boolean;
  /** The request that puts a value in the place of what the server had when it was last read. */
  readonly request: (value: Value, replaces: Value) => ApiRequest;
  /** The value in an answer. */
  readonly read: (answer: Answer) => Value;
  /** What stands there now, where the server refused since somebody else was faster. */
  readonly theirs: (error: ApiError) => Value | undefined;
  /** The value with what the server made of it, such as ids. */
  readonly merge: (value: Value, answer: Answer) => Value;
  /** What the page reads again afterwards. */
  readonly tags: readonly string[];
}

interface State<Value> {
  readonly value: Value;
  /** Once the server has taken the value. */
  readonly taken?: {
    /** What the page knew of the server then. */
    readonly over: Value;
    /** What the person's changes before this one put there, which the page may read late. */
    readonly passed: readonly Value[];
  };
}

/**
 * A value that the person edits over the one of the server. It is shown from the first change until the page reads another one than it knew
 * when the value was taken there; what it reads late of the person's own changes before that does not count. A refused value stays to be
 * mended, and where somebody else changed it meanwhile the person chooses between the two, and is asked before the page or its place is
 * left. Whoever edits values of several objects in one place draws that anew for each of them (`key`): what was refused of one is not for
 * another.
 * @public
 */
export function useDraft<Value, Answer>(options: DraftOptions<Value, Answer>) {
  const { saved, isSame, request, read, merge, theirs, tags } = options;
  const host = useHost();
  const [draft, setDraft] = useState<State<Value>>();
  const [problem, setProblem] = useState<string>();
  /** What somebody else put there while the person edited. */
  const [conflict, setConflict] = useState<Value>();
  const [isSaving, setSaving] = useState(false);
  /** What the next save takes the place of. */
  const base = useRef(saved);
  const passed = useRef<readonly Value[]>([]);
  const known = useRef(saved);
  useLayoutEffect(() => {
    known.current = saved;
  });
  const last = useRef<Promise<unknown>>(Promise.resolve());
  const newest = useRef(0);

  // What came after the change was taken wins, unless it is the same: then the draft keeps its fields as they are.
  const isOutdated =
    draft?.taken !== undefined &&
    ![draft.value, ...draft.taken.passed].some((own) => isSame(own, saved)) &&
    draft.taken.over !== saved;
  const shown = draft === undefined || isOutdated ? saved : draft.value;

  // The page has read what was saved last: what comes from now on is somebody else's, were it like a change before it.
  if (draft?.taken !== undefined && draft.taken.passed.length > 0 && isSame(draft.value, saved))
    setDraft({ value: draft.value, taken: { over: saved, passed: [] } });
  if (isOutdated) setDraft(undefined);

  function change(value: Value): void {
    newest.current += 1;
    if (shown === saved) base.current = saved;
    // What came before is over where the page knows of it.
    if (shown === saved || isSame(shown, saved)) passed.current = [];
    setDraft({ value });
    forgive();
  }

  function forgive(): void {
    setProblem(undefined);
    setConflict(undefined);
  }

  const isRefused = problem !== undefined;
  useEffect(() => (isRefused ? askBeforeLeaving() : undefined), [isRefused]);

  /** Sends a value after those before it. */
  function save(value: Value): Promise<void> {
    const version = newest.current;
    const sent = last.current.then(async () => {
      setSaving(true);
      try {
        const answer = await host.api.request<Answer>(request(value, base.current));
        base.current = read(answer);
        if (version === newest.current) {
          const taken = { over: known.current, passed: passed.current };
          setDraft({ value: merge(value, answer), taken });
        }
        passed.current = [...passed.current, base.current];
      } catch (error) {
        if (version !== newest.current) return;
        setProblem(messageOfError(error, host.t));
        if (error instanceof ApiError) setConflict(theirs(error));
      } finally {
        setSaving(false);
        host.invalidate(tags);
      }
    });
    last.current = sent;
    return sent;
  }

  return {
    shown,
    problem,
    isSaving,
    /** Whether something waits to be sent, or was refused. */
    isPending: draft !== undefined && draft.taken === undefined && !isSame(draft.value, saved),
    change,
    save,
    /** Saves what the person entered in the place of what somebody else did; undefined while nobody did. */
    insist:
      conflict === undefined
        ? undefined
        : () => {
            base.current = conflict;
            forgive();
            return save(shown);
          },
    discard() {
      newest.current += 1;
      setDraft(undefined);
      forgive();
    },
  };
}
