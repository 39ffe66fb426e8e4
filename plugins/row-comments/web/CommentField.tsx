import { useAttempt, useT } from '@trellis/sdk/web';
import { Notice, useThrowAway } from '@trellis/sdk/web/ui';
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { longestComment } from '../shared/index.ts';
import { useMentions } from './use-mentions.ts';

interface CommentFieldProps {
  readonly projectId: string;
  readonly label: string;
  /** The button's label. */
  readonly action: string;
  /** The initial text. */
  readonly text?: string;
  /** Whether the field is focused at once. */
  readonly takesFocus?: boolean;
  /** Throws an error whose message is shown; the text then stays. */
  readonly onSend: (text: string) => Promise<void>;
  readonly onCancel?: () => void;
  /** Called with true while the field contains unsent text. It must be the same function on every render. */
  readonly onDirty: (isDirty: boolean) => void;
}

/** A text with mentions: after an @ the project's people are offered. */
export function CommentField(props: CommentFieldProps) {
  const { projectId, label, action, text: former = '', onSend, onCancel, onDirty, takesFocus } = props;
  const t = useT();
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(former);
  const { isBusy, problem, attempt } = useAttempt();
  const mentions = useMentions(projectId);
  const throwsAway = useThrowAway();
  const isReady = text.trim() !== '' && !isBusy;
  const isDirty = text.trim() !== former.trim();

  useEffect(() => {
    if (!isDirty) return;
    onDirty(true);
    return () => onDirty(false);
  }, [isDirty, onDirty]);

  useEffect(() => {
    const area = field.current;
    if (takesFocus !== true || area === null) return;
    area.focus();
    area.setSelectionRange(area.value.length, area.value.length);
  }, [takesFocus]);

  async function send() {
    if (!isReady) return;
    const isSent = await attempt(() => onSend(text.trim()));
    // What was typed meanwhile stays.
    if (isSent) setText((now) => (now.startsWith(text) ? now.slice(text.length) : now));
  }

  async function cancel() {
    if (!isBusy && (!isDirty || (await throwsAway()))) onCancel?.();
  }

  function choose(email: string) {
    const place = mentions.place;
    if (place === undefined) return;
    const before = `${text.slice(0, place.start)}@${email} `;
    setText(before + text.slice(place.end));
    mentions.close();
    requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.setSelectionRange(before.length, before.length);
    });
  }

  function onKeyDown(event: KeyboardEvent) {
    // While an input method composes, Enter and Escape belong to it.
    if (event.nativeEvent.isComposing) return;
    if (mentions.onKeyDown(event, choose)) return;
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      void send();
    }
    if (event.key === 'Escape' && onCancel) {
      event.stopPropagation();
      void cancel();
    }
  }

  return (
    <div className="comments-field">
      <textarea
        ref={field}
        className="p-inputtext p-component"
        rows={3}
        maxLength={longestComment}
        role="combobox"
        aria-label={label}
        aria-expanded={mentions.people.length > 0}
        aria-controls={id}
        aria-activedescendant={mentions.people.length > 0 ? `${id}-${mentions.index}` : undefined}
        placeholder={label}
        // An edit closes with the answer, which would lose what is typed meanwhile.
        readOnly={isBusy && onCancel !== undefined}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          mentions.follow(event.target.value, event.target.selectionStart);
        }}
        onBlur={mentions.close}
        onKeyDown={onKeyDown}
      />
      {mentions.people.length > 0 && (
        <ul className="comments-people" id={id} role="listbox" aria-label={t('People')}>
          {mentions.people.map(({ email, name }, at) => (
            <li
              key={email}
              id={`${id}-${at}`}
              role="option"
              aria-selected={at === mentions.index}
              // Before the field loses the focus.
              onPointerDown={(event) => {
                event.preventDefault();
                choose(email);
              }}
            >
              <strong>{name ?? email}</strong> {name && <small>{email}</small>}
            </li>
          ))}
        </ul>
      )}
      {problem !== undefined && <Notice severity="error">{problem}</Notice>}
      {(text !== '' || onCancel) && (
        <div className="comments-buttons">
          {onCancel && (
            <button type="button" className="tr-button" onClick={() => void cancel()}>
              {t('Cancel')}
            </button>
          )}
          <button
            type="button"
            className="tr-button tr-button--primary"
            disabled={!isReady}
            onClick={() => {
              // The button disappears with the text, and the focus would be lost.
              field.current?.focus();
              void send();
            }}
          >
            {action}
          </button>
        </div>
      )}
    </div>
  );
}
