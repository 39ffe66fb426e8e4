import type { ProjectRole } from '@trellis/sdk/shared';
import { messageOfError, objectsTag, useHost, useServerData } from '@trellis/sdk/web';
import { Empty, ErrorNotice, Skeleton } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import { tokensObjectKind, type TokenEntity } from '../shared/index.ts';
import { NewTokenDialog } from './NewTokenDialog.tsx';
import { TokenLine } from './TokenLine.tsx';

/** Tokens, with buttons to create and delete them. */
export function TokenList(props: {
  readonly path: string;
  /** The possible roles of a new token, from most to least rights. */
  readonly roles: readonly ProjectRole[];
  /** The project whose tokens are listed, including other people's; if left out, the person's own tokens. */
  readonly projectId?: string;
}) {
  const { path, roles, projectId } = props;
  const isShared = projectId !== undefined;
  const tag = objectsTag(tokensObjectKind, projectId);
  const host = useHost();
  const { t } = host;
  const [isMaking, setMaking] = useState(false);
  const { data, error, isLoading, refetch } = useServerData<readonly TokenEntity[]>(
    { path },
    { tags: [tag] },
  );

  async function remove(token: TokenEntity) {
    const name = token.description || token.token;
    const agreed = await host.confirm({
      title: t('Delete the token {{name}}?', { name }),
      message: t('Programs that use it are refused from the next request on.'),
      confirmLabel: t('Delete'),
      danger: true,
    });
    if (!agreed) return;
    try {
      await host.api.request({ method: 'DELETE', path: `${path}/${encodeURIComponent(token.id)}` });
    } catch (failure) {
      host.toast({
        severity: 'error',
        summary: t('The token could not be deleted'),
        detail: messageOfError(failure, t),
      });
    }
    host.invalidate([tag]);
  }

  return (
    <>
      <div>
        <button type="button" className="tr-button tr-button--primary" onClick={() => setMaking(true)}>
          <i className="pi pi-plus" aria-hidden="true" /> {t('New token')}
        </button>
      </div>
      {error && <ErrorNotice message={error.message} onRetry={refetch} />}
      {isLoading && <Skeleton height={56} count={2} />}
      {data?.length === 0 && <Empty icon="key" title={t('There is no token yet')} />}
      <ul className="tokens-list">
        {(data ?? []).map((token) => (
          <TokenLine key={token.id} token={token} isShared={isShared} onDelete={() => void remove(token)} />
        ))}
      </ul>
      {isMaking && (
        <NewTokenDialog
          path={path}
          roles={roles}
          onMade={() => host.invalidate([tag])}
          onClose={() => setMaking(false)}
        />
      )}
    </>
  );
}
