import { Component, type ReactNode } from 'react';

/** Keeps the error that a story throws, also later, when the code of one of its parts has come. */
export class Watched extends Component<{ readonly children: ReactNode }, { readonly error?: unknown }> {
  override state: { readonly error?: unknown } = {};
  static getDerivedStateFromError = (error: unknown) => ({ error });
  override render(): ReactNode {
    if (!('error' in this.state)) return this.props.children;
    return <p data-story-failed="">{String(this.state.error)}</p>;
  }
}

/** What the story threw that is drawn here; undefined where it is well. */
export function storyFailure(container: HTMLElement): string | undefined {
  return container.querySelector('[data-story-failed]')?.textContent ?? undefined;
}
