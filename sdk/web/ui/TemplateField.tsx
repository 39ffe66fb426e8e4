import { useId, useImperativeHandle, useRef, type ReactNode, type Ref } from 'react';
import { flushSync } from 'react-dom';
import {
  requestBodyProblem,
  templateProblems,
  type RequestTemplate,
  type TemplateProblem,
  type TemplateShape,
} from '../../shared/index.ts';
import type { Translate } from '../context.ts';
import { useSharedT } from '../host.tsx';
import { PopoverButton } from './PopoverButton.tsx';
import { SearchList } from './SearchList.tsx';

/** A placeholder that can be inserted into a template. @public */
export interface TemplateOffer {
  /** `{{row.Title}}`. */
  readonly placeholder: string;
  readonly label: string;
  /** The heading over those of one kind, in the language of the page. */
  readonly group: string;
}

/** The placeholders for templates of one place. @public */
export interface TemplateNaming {
  readonly shape: TemplateShape;
  /** In the order of the list. */
  readonly offered: readonly TemplateOffer[];
}

/** The props of a `TemplateInput`. @public */
export interface TemplateInputProps {
  /** Its name for screen readers, and that of the list of placeholders. */
  readonly label: string;
  readonly id?: string;
  readonly value: string;
  readonly naming: TemplateNaming;
  /** The number of lines of a multi-line field. */
  readonly rows?: number | undefined;
  readonly placeholder?: string | undefined;
  /** Its purpose, below it, while there is no problem. */
  readonly help?: string | undefined;
  /** Another problem, below it. */
  readonly problem?: string | undefined;
  readonly field?: Ref<HTMLInputElement> | undefined;
  onChange(this: void, value: string): void;
}

/** A text with placeholders: a list inserts them, and an unknown or unclosed one is reported while typing. @public */
export function TemplateInput(props: TemplateInputProps): ReactNode {
  const { label, id, value, naming, rows, placeholder, help, problem, field, onChange } = props;
  const t = useSharedT();
  const noteId = useId();
  const input = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  useImperativeHandle(field, () => input.current as HTMLInputElement);
  const { offered, shape } = naming;
  const problems = [
    ...templateProblems(value, shape).map((of) =>
      templateProblemText(of, t, { hasLines: rows !== undefined }),
    ),
    ...(problem === undefined ? [] : [problem]),
  ];

  function put(text: string) {
    const at = input.current?.selectionStart ?? value.length;
    const end = input.current?.selectionEnd ?? at;
    // Synchronous, so that the caret can be moved after the inserted text.
    flushSync(() => onChange(value.slice(0, at) + text + value.slice(end)));
    input.current?.focus();
    input.current?.setSelectionRange(at + text.length, at + text.length);
  }

  const common = {
    id,
    ...(id === undefined && { 'aria-label': label }),
    className: `p-inputtext p-component${rows === undefined ? '' : ' tr-template-lines'}`,
    // The content may be code or a text in any language, which determines its direction.
    dir: 'auto',
    value,
    placeholder,
    spellCheck: false,
    'aria-invalid': problems.length > 0,
    'aria-describedby': noteId,
    onChange: (event: { readonly target: { readonly value: string } }) => onChange(event.target.value),
  };
  return (
    <div className="tr-template">
      <div>
        {rows === undefined ? (
          <input ref={input} {...common} />
        ) : (
          <textarea ref={input} rows={rows} {...common} />
        )}
        {offered.length > 0 && (
          <PopoverButton compact icon="code" label={t('Put a value into {{field}}', { field: label })}>
            {(close) => (
              <SearchList
                label={t('Search values')}
                listLabel={t('Values')}
                emptyText={t('There is no such value')}
                options={offered.map(({ placeholder: chosen, label: name, group }) => ({
                  id: chosen,
                  label: name,
                  detail: chosen,
                  group,
                }))}
                onChoose={(chosen) => {
                  close();
                  put(chosen);
                }}
              />
            )}
          </PopoverButton>
        )}
      </div>
      <small id={noteId} className={problems.length > 0 ? 'tr-field-problem' : 'tr-note'} role="status">
        {problems.length === 0 ? help : problems.map((text, index) => <span key={index}>{text}</span>)}
      </small>
    </div>
  );
}

/** A `TemplateInput` with its label above it. @public */
export function TemplateField(props: TemplateInputProps): ReactNode {
  const id = useId();
  return (
    <div className="tr-field">
      <label htmlFor={id}>{props.label}</label>
      <TemplateInput {...props} id={id} />
    </div>
  );
}

/** The problem of a placeholder as text, with its line if there are several. @public */
export function templateProblemText(
  { text, line, kind, below, name, meant }: TemplateProblem,
  t: Translate,
  { hasLines = false }: { readonly hasLines?: boolean } = {},
): string {
  const inLine = hasLines ? [t('Line {{line}}:', { line })] : [];
  if (kind === 'open') {
    const said = t('The placeholder {{placeholder}} is not closed: its closing braces are missing.', {
      placeholder: text,
    });
    return [...inLine, said].join(' ');
  }
  const why = {
    unknown:
      below === ''
        ? t('there is no “{{name}}”', { name })
        : below === 'env'
          ? t('there is no variable “{{name}}”', { name })
          : t('“{{below}}” has no “{{name}}”', { below, name }),
    deep: t('“{{below}}” is one value, nothing stands below it', { below }),
    whole: t('it must say which one: {{example}}', { example: `{{${name}.NAME}}` }),
  }[kind];
  const said = t('Nothing stands behind {{placeholder}}: {{why}}.', { placeholder: text, why });
  return [...inLine, said, ...(meant === undefined ? [] : [t('Is “{{meant}}” meant?', { meant })])].join(' ');
}

/** Why the body of a request is not valid JSON although it should be, with the position; undefined if it is. @public */
export function requestBodyProblemText(
  request: Pick<RequestTemplate, 'method' | 'headers' | 'body'>,
  t: Translate,
): string | undefined {
  const problem = requestBodyProblem(request);
  if (problem === undefined) return undefined;
  return problem.text === ''
    ? t('This becomes no JSON: something is missing at the end, such as a bracket.')
    : t('Line {{line}}: this becomes no JSON, since “{{text}}” does not belong there.', {
        line: problem.line,
        text: problem.text.slice(0, 40),
      });
}
