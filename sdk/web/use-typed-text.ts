import { useRef, useState } from 'react';

/** What a field shows of a text that is kept elsewhere. @public */
export interface TypedText {
  readonly text: string;
  type(this: void, text: string): void;
  /** Sends what was typed; without a change nothing is sent. */
  save(this: void): void;
  readonly isNew: boolean;
  /** Whether what stands there was sent and not taken. */
  readonly isRefused: boolean;
}

interface Typed {
  readonly text: string;
  readonly isRefused?: boolean;
  /** The saved text that this one took the place of; absent until it is saved. */
  readonly replaced?: string;
}

/**
 * Text that is typed over a saved one. It stays until it is saved: while the server refuses it, while somebody types on during the
 * saving, and when the saved text changes meanwhile.
 *
 * @param send resolves to whether the text is saved now
 * @param kept what becomes of a text when it is saved; left out: it loses the spaces around it
 * @public
 */
export function useTypedText(
  saved: string,
  send: (text: string) => Promise<boolean>,
  kept: (text: string) => string = (text) => text.trim(),
): TypedText {
  const [typed, setTyped] = useState<Typed>();
  const sending = useRef<string>(undefined);
  // A text that is saved is still shown as it was typed until it has been read again.
  const shown = typed?.replaced === undefined || typed.replaced === saved ? typed : undefined;
  const isNew = shown !== undefined && shown.replaced === undefined && kept(shown.text) !== saved;

  async function save(): Promise<void> {
    if (!isNew) return;
    const wanted = kept(shown.text);
    if (sending.current === wanted) return;
    sending.current = wanted;
    const isSaved = await send(wanted);
    if (sending.current === wanted) sending.current = undefined;
    const outcome = isSaved ? { replaced: saved } : { isRefused: true };
    setTyped((now) => (now !== undefined && kept(now.text) === wanted ? { ...now, ...outcome } : now));
  }

  return {
    text: shown?.text ?? saved,
    type: (text) => setTyped({ text }),
    save: () => void save(),
    isNew,
    isRefused: isNew && shown.isRefused === true,
  };
}
