import type { BaseTarget, TlsSettings } from '@trellis/sdk/server';
import { DatabaseError, type DatabaseTarget, type ServerTarget } from '../../databases/index.ts';

const servers = new Map<string, ServerTarget['kind']>([
  ['postgres', 'postgres'],
  ['mysql', 'mysql'],
  ['mssql', 'mssql'],
]);

/** Converts the target that a kind returns to the host's form. @param mayBePrivate whether a super admin chose the place */
export function toDatabaseTarget(target: BaseTarget, mayBePrivate: boolean): DatabaseTarget {
  if ('file' in target) return { kind: 'sqlite', file: target.file };
  const { dialect, tls, connections, connectSeconds, ...rest } = target;
  const kind = servers.get(dialect);
  if (kind === undefined) throw new DatabaseError('unreachable');
  return {
    ...rest,
    kind,
    ...(tls !== undefined && { tls: toTls(tls) }),
    ...(connections !== undefined && { pool: { max: connections } }),
    ...(connectSeconds !== undefined && { openMs: connectSeconds * 1000 }),
    mayBePrivate,
  };
}

function toTls({ verify, ...material }: TlsSettings): ServerTarget['tls'] {
  return {
    ...material,
    rejectUnauthorized: verify !== 'encrypt',
    verifyIdentity: verify === 'identity',
  };
}
