import {
  isExpected,
  longestHook,
  recordErrorOrigin,
  systemClock,
  TimeLimitError,
  withTimeLimit,
  type BudgetSubject,
  type Clock,
} from '@trellis/core';
import type { CredentialResolver, ScopeRule, SignInStep } from '@trellis/sdk/server';
import { httpErrors } from '../http/http-errors.ts';
import type { PluginErrors } from '../runtime/tokens.ts';

/** Limits what requests wait for plugins to answer. */
export interface AnswerLimits {
  /**
   * Whether a plugin's answers have a limit. Parts of the product wait for databases alone, whose calls have limits of their own: a
   * slow database must not take the check of sessions out of service.
   */
  isLimited(pluginId: string): boolean;
  nameOf(pluginId: string): string;
  readonly clock?: Clock;
}

/** Milliseconds for a step of signing in, which may send a letter. */
const longestStep = 30_000;

/** Waits for what a plugin answers, if that is not known at once. @throws TimeLimitError */
type InTime = <T>(answer: T | Promise<T>, milliseconds?: number) => T | Promise<T>;

function limitOf(owner: string, where: string, { isLimited, clock = systemClock }: AnswerLimits): InTime {
  return (answer, milliseconds = longestHook) =>
    answer instanceof Promise && isLimited(owner)
      ? withTimeLimit(clock, milliseconds, `'${owner}' in ${where}`, () => answer)
      : answer;
}

/** Wraps a credential resolver for all callers: an answer that takes too long is an error of it. */
export function limitCredentialResolver(
  resolver: CredentialResolver,
  { owner }: BudgetSubject,
  _errors: PluginErrors,
  limits: AnswerLimits,
): CredentialResolver {
  const { id, order, carries, isGood } = resolver;
  const inTime = limitOf(owner, `credential resolver '${id}'`, limits);
  return {
    id,
    ...(order !== undefined && { order }),
    resolve: (request) => inTime(resolver.resolve(request)),
    ...(carries !== undefined && { carries: carries.bind(resolver) }),
    ...(isGood !== undefined && { isGood: (principal) => inTime(isGood.call(resolver, principal)) }),
  };
}

/** Wraps a scope rule for all callers: an answer that takes too long is an error of it. */
export function limitScopeRule(
  rule: ScopeRule,
  { owner }: BudgetSubject,
  _errors: PluginErrors,
  limits: AnswerLimits,
): ScopeRule {
  const inTime = limitOf(owner, `scope rule '${rule.id}'`, limits);
  return { id: rule.id, narrow: (facts) => inTime(rule.narrow(facts)) };
}

/**
 * Wraps a step of signing in for all callers. An error is reported with its plugin and refuses the sign-in, and no number of them
 * leaves the step out: it guards accounts.
 */
export function containSignInStep(
  step: SignInStep,
  { owner }: BudgetSubject,
  errors: PluginErrors,
  limits: AnswerLimits,
): SignInStep {
  const where = `sign-in step '${step.id}'`;
  const inTime = limitOf(owner, where, limits);

  async function ask<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
    try {
      return await inTime(work(), milliseconds);
    } catch (error) {
      if (isExpected(error)) throw error;
      recordErrorOrigin(error, { owner, where });
      errors.report(owner, where, error);
      if (!(error instanceof TimeLimitError)) throw error;
      const facts = { plugin: limits.nameOf(owner), seconds: milliseconds / 1000 };
      throw httpErrors.create('PLUGIN_TOO_SLOW', facts, error);
    }
  }

  return {
    id: step.id,
    isDue: (account, way) => ask(longestHook, () => step.isDue(account, way)),
    begin: (account) => ask(longestStep, () => step.begin(account)),
    finish: (account, answer) => ask(longestStep, () => step.finish(account, answer)),
  };
}
