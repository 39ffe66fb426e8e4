/**
 * Whether an entry of `contributes.hosts` covers a host, or another entry: `*` covers all hosts, `*.example.com` all subdomains
 * of `example.com`.
 *
 * @param host in lower case
 */
export function isListedHost(host: string, listed: string): boolean {
  return listed === '*' || listed === host || (listed.startsWith('*.') && host.endsWith(listed.slice(1)));
}
