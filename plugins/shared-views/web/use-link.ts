import { messageOfError, objectsTag, useHost, useServerData, type ApiError } from '@trellis/sdk/web';
import { useState } from 'react';
import { linksObjectKind, type SharedViewEntity } from '../shared/index.ts';

/** A change of a link; fields that are left out stay as they are. */
export interface LinkChange {
  readonly password?: string | null;
  readonly expires_at?: string | null;
  readonly regenerate?: boolean;
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** A view's link and the calls that change it. */
export interface LinkOfView extends LinkCalls {
  /** Undefined if the view is not shared, or while unknown. */
  readonly link: SharedViewEntity | undefined;
  readonly isKnown: boolean;
  readonly error: ApiError | undefined;
  refetch(this: void): void;
}

/** Read again whenever a link of any of the project's views changes. */
export const linksTag = (projectId: string) => objectsTag(linksObjectKind, projectId);

interface PlaceOfLink {
  readonly projectId: string;
  readonly tableId: string;
  readonly viewId: string;
}

interface LinkCalls {
  readonly isBusy: boolean;
  open(this: void): Promise<boolean>;
  /** Resolves to false if the server refused; the person was told why. */
  change(this: void, change: LinkChange): Promise<boolean>;
  /** Replaces the view's link after the person has agreed that the present one ends. */
  renew(this: void): Promise<void>;
  /** Removes the link after a confirmation. */
  turnOff(this: void): Promise<void>;
}

/** The calls that change a view's link. */
export function useLinkCalls({ viewId, projectId }: Omit<PlaceOfLink, 'tableId'>): LinkCalls {
  const host = useHost();
  const { t } = host;
  const [isBusy, setBusy] = useState(false);
  const path = `/api/v1/db/meta/views/${encodeURIComponent(viewId)}/share`;

  async function send(method: 'POST' | 'PATCH' | 'DELETE', body?: LinkChange): Promise<boolean> {
    if (isBusy) return false;
    setBusy(true);
    try {
      await host.api.request({ method, path, ...(body && { body }) });
      return true;
    } catch (failure) {
      const summary = t('The link could not be changed');
      host.toast({ severity: 'error', summary, detail: messageOfError(failure, t) });
      return false;
    } finally {
      setBusy(false);
      host.invalidate([linksTag(projectId)]);
    }
  }

  async function renew() {
    const agreed = await host.confirm({
      title: t('Make a new link?'),
      message: t('The present link opens nothing any more, also where it is embedded.'),
      confirmLabel: t('New link'),
      danger: true,
    });
    if (agreed) await send('PATCH', { regenerate: true });
  }

  async function turnOff() {
    const agreed = await host.confirm({
      title: t('Turn off the link?'),
      message: t('The link opens nothing any more. Turning it on again makes another link.'),
      confirmLabel: t('Turn off'),
      danger: true,
    });
    if (agreed) await send('DELETE');
  }

  return {
    isBusy,
    open: () => send('POST'),
    change: (change) => send('PATCH', change),
    renew,
    turnOff,
  };
}

export function useLink(of: PlaceOfLink): LinkOfView {
  const calls = useLinkCalls(of);
  const { data, error, refetch } = useServerData<readonly SharedViewEntity[]>(
    { path: `/api/v1/db/meta/tables/${encodeURIComponent(of.tableId)}/share` },
    { tags: [linksTag(of.projectId)] },
  );
  return {
    ...calls,
    link: data?.find(({ id }) => id === of.viewId),
    isKnown: data !== undefined,
    error,
    refetch,
  };
}
