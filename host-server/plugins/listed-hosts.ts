/**
 * Whether an entry of `contributes.hosts` covers a host, or another entry: `*` covers all, `*.example.com` what is below that.
 *
 * @param host in small letters
 */
export function isListedHost(host: string, listed: string): boolean {
  return listed === '*' || listed === host || (listed.startsWith('*.') && host.endsWith(listed.slice(1)));
}
