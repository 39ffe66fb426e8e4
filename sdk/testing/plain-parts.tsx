import { Component, type ReactNode } from 'react';
import type { ErrorSource, SchemaFormProps } from '../web/index.ts';

/** A text field per property: enough to see that a form is asked for and answered. */
export function PlainForm({ schema, value, onChange, problems = {} }: SchemaFormProps) {
  return (
    <div>
      {Object.entries(schema.properties ?? {}).map(([name, property]) => (
        <label key={name}>
          {property.title ?? name}
          <input
            value={typeof value[name] === 'string' ? value[name] : ''}
            onChange={(event) => onChange({ ...value, [name]: event.target.value })}
          />
          {problems[`/${name}`]}
        </label>
      ))}
    </div>
  );
}

interface PlainBoundaryProps {
  readonly source: ErrorSource;
  readonly what: string;
  readonly children: ReactNode;
}

/** Shows the message of what its children throw. */
export class PlainBoundary extends Component<PlainBoundaryProps, { readonly error: Error | undefined }> {
  override readonly state = { error: undefined };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render(): ReactNode {
    const error: Error | undefined = this.state.error;
    return error === undefined ? this.props.children : <p role="alert">{(error as Error).message}</p>;
  }
}
