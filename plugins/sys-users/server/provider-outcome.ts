import type { RouteCookie, RouteRequest } from '@trellis/sdk/server';
import type { TrellisError } from '@trellis/sdk/shared';

const name = 'sign_in_outcome';

/** Why a person was not signed in, for the page. */
interface Problem {
  readonly msg: string;
  readonly code: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Passes the error to this browser only, for two minutes; in an address, anybody could write texts that look like ours. */
export function outcomeCookie({ message, code, params }: TrellisError): RouteCookie {
  const problem: Problem = { msg: message.slice(0, 1000), code, params };
  const text = pack(problem);
  const value = text.length > 3000 ? pack({ ...problem, params: {} }) : text;
  return { name, value, path: '/api/v1/auth/providers', httpOnly: true, sameSite: 'lax', maxAge: 120 };
}

export function readOutcome({ cookies }: Pick<RouteRequest, 'cookies'>): { readonly problem?: Problem } {
  try {
    const problem = JSON.parse(Buffer.from(cookies[name] ?? '', 'base64url').toString()) as Problem;
    return typeof problem.msg === 'string' ? { problem } : {};
  } catch {
    return {};
  }
}

function pack(problem: Problem): string {
  return Buffer.from(JSON.stringify(problem)).toString('base64url');
}
