import { Component, type ReactNode } from 'react';
import { isChunkFailure, reloadForNewParts } from '../contain/reload-once.ts';
import type { HostParts } from './host-parts.ts';

interface RootBoundaryProps {
  readonly parts: Pick<HostParts, 'reporter' | 'translations'>;
  readonly children: ReactNode;
}

interface RootBoundaryState {
  readonly error: Error | undefined;
  readonly report: 'none' | 'sending' | 'sent';
}

/**
 * The outermost boundary: an error in the frame itself shows a dialog instead of a blank page.
 *
 * It uses only the browser's own elements, because the page's components may be what failed. Cancel draws the page again; Report
 * tells the administrators, who find the error in the server's log.
 */
export class RootBoundary extends Component<RootBoundaryProps, RootBoundaryState> {
  override readonly state: RootBoundaryState = { error: undefined, report: 'none' };

  static getDerivedStateFromError(error: unknown): RootBoundaryState {
    return { error: error instanceof Error ? error : new Error(String(error)), report: 'none' };
  }

  override componentDidCatch(error: unknown): void {
    if (isChunkFailure(error)) reloadForNewParts();
  }

  async report(error: Error): Promise<void> {
    this.setState({ report: 'sending' });
    const item = { pluginId: 'host', where: 'page', message: error.message, time: Date.now() };
    await this.props.parts.reporter.report(item).catch(() => undefined);
    this.setState({ report: 'sent' });
  }

  override render(): ReactNode {
    const { error, report } = this.state;
    if (error === undefined) return this.props.children;
    const t = this.props.parts.translations.translate;
    return (
      <main className="tr-crash">
        <section
          className="tr-crash-dialog"
          role="alertdialog"
          aria-labelledby="tr-crash-title"
          aria-describedby="tr-crash-text"
        >
          <h1 id="tr-crash-title">{t('An unexpected error occurred')}</h1>
          <p id="tr-crash-text">{t('The page could not be drawn. What you have saved is safe.')}</p>
          <pre className="tr-crash-reason">{error.message}</pre>
          <div className="tr-crash-actions">
            <button type="button" className="tr-button" onClick={() => this.setState({ error: undefined })}>
              {t('Cancel')}
            </button>
            <button type="button" className="tr-button" onClick={() => location.reload()}>
              {t('Reload the page')}
            </button>
            <button
              type="button"
              className="tr-button tr-button--primary"
              disabled={report !== 'none'}
              onClick={() => void this.report(error)}
            >
              {report === 'sent' ? t('Reported') : t('Report')}
            </button>
          </div>
        </section>
      </main>
    );
  }
}
