import type { ReactNode } from 'react';

/** A sentence and a list; nothing where the list is empty. */
export function ConsequenceLines(props: {
  readonly title: string;
  readonly lines: readonly ReactNode[];
  readonly more?: string | undefined;
}) {
  if (props.lines.length === 0) return undefined;
  return (
    <>
      <p>{props.title}</p>
      <ul>
        {props.lines.map((line, at) => (
          <li key={at}>{line}</li>
        ))}
        {props.more !== undefined && <li>{props.more}</li>}
      </ul>
    </>
  );
}
