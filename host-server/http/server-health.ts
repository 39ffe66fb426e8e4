import type { RegistryView } from '@trellis/core';
import type { HealthCheck, ServerHealth } from '@trellis/sdk/server';
import type { Metadata } from '../metadata/metadata.ts';

/** Milliseconds that one look at the server's health is good for. */
const life = 1000;
/** Milliseconds that a check of a plugin may take. */
const longestCheck = 5000;

/** Looks at the metadata database and asks the plugins' checks, once for all who ask within a second. */
export function createServerHealth(deps: {
  readonly metadata: Metadata;
  readonly healthChecks: RegistryView<HealthCheck>;
}): ServerHealth {
  let last: { readonly at: number; readonly answer: Promise<boolean> } | undefined;

  async function look(): Promise<boolean> {
    try {
      await deps.metadata.database.ping();
      const checks = deps.healthChecks.list().map((item) => item.check(AbortSignal.timeout(longestCheck)));
      return (await Promise.all(checks)).every((result) => result.ok);
    } catch {
      // Not healthy is the answer, whatever the reason.
      return false;
    }
  }

  return {
    isHealthy() {
      if (last === undefined || Date.now() - last.at > life) last = { at: Date.now(), answer: look() };
      return last.answer;
    },
  };
}
