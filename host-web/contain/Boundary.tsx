import { Component, useContext, type ErrorInfo, type ReactNode } from 'react';
import {
  OwnerContext,
  WebHostContext,
  type DrawnPart,
  type ErrorSource,
  type Translate,
} from '@trellis/sdk/web';
import { isChunkFailure, reloadForNewParts } from './reload-once.ts';

export interface BoundaryProps {
  /** The owner: a plugin, or an item of a registry. */
  readonly source: ErrorSource;
  /** What is drawn, for the notice, such as "tab Comments". */
  readonly what: string;
  readonly children: ReactNode;
  readonly compact?: boolean;
}

interface BoundaryState {
  readonly error: Error | undefined;
}

export interface BoundaryServices {
  readonly ownerOf: (source: ErrorSource) => string;
  readonly reportError: (source: ErrorSource, where: string, error: unknown) => void;
  /** Reports an error, and disables the registry item if it failed too often. */
  readonly takeOutOfService: (source: ErrorSource, where: string, error: unknown) => void;
  readonly translate: () => Translate;
}

/** Creates the component that contains what plugins draw: an error removes only the part that failed. */
export function createBoundary({ ownerOf, reportError, takeOutOfService, translate }: BoundaryServices) {
  return class Boundary extends Component<BoundaryProps, BoundaryState> implements DrawnPart {
    override readonly state: BoundaryState = { error: undefined };

    static getDerivedStateFromError(error: unknown): BoundaryState {
      return { error: error instanceof Error ? error : new Error(String(error)) };
    }

    override componentDidCatch(error: unknown, _info: ErrorInfo): void {
      if (isChunkFailure(error) && reloadForNewParts()) return;
      reportError(this.props.source, this.props.what, error);
    }

    stopDrawing(error: Error): void {
      this.setState({ error });
      takeOutOfService(this.props.source, this.props.what, error);
    }

    override render(): ReactNode {
      const { source, what, children, compact } = this.props;
      const { error } = this.state;
      const owner = ownerOf(source);
      if (error === undefined) return <InTheNameOf owner={owner}>{children}</InTheNameOf>;
      const t = translate();
      const retry = () => this.setState({ error: undefined });
      const reason = t('{{what}} · plugin {{owner}}: {{reason}}', {
        what,
        owner,
        reason: error.message,
      });
      if (compact === true) {
        return (
          <button
            type="button"
            className="tr-boundary-compact"
            title={reason}
            aria-label={reason}
            onClick={retry}
          >
            <i className="pi pi-exclamation-triangle" aria-hidden="true" />
          </button>
        );
      }
      return (
        <div className="tr-boundary" role="alert">
          <i className="pi pi-exclamation-triangle" aria-hidden="true" />
          <strong>{t('This part could not be shown')}</strong>
          <p>{reason}</p>
          <button type="button" className="tr-button" onClick={retry}>
            {t('Try again')}
          </button>
        </div>
      );
    }
  };
}

/** Draws on behalf of an owner, with the owner's texts. */
function InTheNameOf({ owner, children }: { readonly owner: string; readonly children: ReactNode }) {
  const host = useContext(WebHostContext);
  return (
    <OwnerContext value={owner}>
      <WebHostContext value={host?.hostOf(owner)}>{children}</WebHostContext>
    </OwnerContext>
  );
}
