import { createHash, randomUUID } from 'node:crypto';
import {
  chainHeader,
  defineRoute,
  RateLimiterToken,
  RouteAnswer,
  type AutomationOfTrigger,
  type Automations,
  type AutomationStarted,
  type RouteDefinition,
  type ServerPluginContext,
  type SignedChains,
} from '@trellis/sdk/server';
import type { TemplateValues } from '@trellis/sdk/shared';
import { addressCalled, idOfAddress, type LastCall } from '../shared/index.ts';
import { addressErrors } from './address-errors.ts';
import type { Addresses } from './addresses.ts';
import { readBody } from './read-body.ts';

/** Calls of one network address, also of addresses that are not used any more. */
const callsOfCaller = { name: 'automation-callers', limit: 600, windowSeconds: 60 };
const callsOfAddress = { name: 'automation-addresses', limit: 600, windowSeconds: 60 };
const largestBody = 64 * 1024;
const longestKey = 200;
/** Milliseconds for which it is known which automations have which addresses. */
const knownFor = 1000;

const ofProject = { kind: 'project', param: 'projectId' } as const;

/** Making addresses, showing what was sent to them last, and the call itself. */
export function addressRoutes(
  ctx: ServerPluginContext,
  deps: {
    readonly addresses: Addresses;
    readonly automations: Automations;
    readonly chains: SignedChains;
  },
): readonly RouteDefinition[] {
  const { addresses, automations, chains } = deps;
  const limiter = ctx.get(RateLimiterToken);
  let known: { readonly at: number; readonly list: Promise<readonly AutomationOfTrigger[]> } | undefined;

  function list(): Promise<readonly AutomationOfTrigger[]> {
    const read = automations.list(addressCalled.id);
    known = { at: Date.now(), list: read };
    // What could not be read is asked for again.
    read.catch(() => (known = undefined));
    return read;
  }

  /** The automations that an address starts. All of them are read at once, and seldom; an address that is not among them may be new. */
  async function startedBy(address: string): Promise<readonly AutomationOfTrigger[]> {
    const having = (all: readonly AutomationOfTrigger[]) =>
      all.filter(({ settings }) => settings.address === address);
    const isKnown = known !== undefined && Date.now() - known.at < knownFor;
    const found = isKnown ? having((await known?.list) ?? []) : [];
    return found.length > 0 ? found : having(await list());
  }

  async function addressesOf(project: string): Promise<readonly string[]> {
    const own = (await list()).filter(({ projectId }) => projectId === project);
    return own.map(({ settings }) => String(settings.address));
  }

  return [
    defineRoute({
      method: 'POST',
      path: 'projects/:projectId/addresses',
      permission: 'automationSet',
      object: ofProject,
      summary: 'Make a secret address for an automation; it works once the automation is saved with it',
      bodyKind: 'none',
      handle: ({ scope }) => Promise.resolve({ address: addresses.create(scope.projectId ?? '') }),
    }),
    defineRoute({
      method: 'GET',
      path: 'projects/:projectId/addresses/:id/last',
      permission: 'automationSet',
      object: ofProject,
      summary: 'Read what was sent last to an address of an automation of the project',
      async handle({ params, scope }): Promise<{ readonly call: LastCall | null }> {
        const address = (await addressesOf(scope.projectId ?? '')).find(
          (one) => idOfAddress(one) === params.id,
        );
        return { call: (address === undefined ? undefined : await addresses.last(address)) ?? null };
      },
    }),
    defineRoute({
      method: 'POST',
      path: 'calls/:address',
      permission: 'public',
      summary: 'Start the automation whose secret address this is; JSON, a form or a text of at most 64 KB',
      bodyKind: 'raw',
      bodyLimit: largestBody,
      async willReadBody({ ip, params }) {
        const address = params.address ?? '';
        // What was never given is refused without a look at the database.
        if (!addresses.isOurs(address)) throw addressErrors.create('ADDRESS_UNKNOWN');
        await limiter.consume(callsOfCaller, { address: ip });
        if ((await startedBy(address)).length === 0) throw addressErrors.create('ADDRESS_UNKNOWN');
        await limiter.consume(callsOfAddress, keyOf(address));
      },
      async handle({ params, query, headers, stream }) {
        const address = params.address ?? '';
        const body = stream === undefined ? '' : await readBody(stream, headers['content-type']);
        const at = new Date().toISOString();
        const trigger = { body, query, at } as TemplateValues;
        const eventId = eventOf(headers['idempotency-key']);
        await addresses.keepLast(address, { at, body });
        const chain = chains.read(headers[chainHeader]);
        const started: AutomationStarted[] = [];
        for (const { id } of await startedBy(address))
          started.push(await automations.start(id, { eventId, trigger, chain }));
        if (started.some((one) => one.kind === 'known' && !isSame(one.trigger, trigger)))
          throw addressErrors.create('ADDRESS_KEY_OTHER');
        const isAny = (...kinds: readonly AutomationStarted['kind'][]) =>
          started.some(({ kind }) => kinds.includes(kind));
        if (!isAny('kept', 'known')) {
          if (isAny('round')) throw addressErrors.create('ADDRESS_ROUND');
          throw addressErrors.create(isAny('full') ? 'ADDRESS_FULL' : 'ADDRESS_UNKNOWN');
        }
        return new RouteAnswer({ status: 202, body: { msg: 'accepted' } });
      },
    }),
  ];
}

/** Whether two calls sent the same. */
function isSame(one: TemplateValues, other: TemplateValues): boolean {
  const sent = ({ body, query }: TemplateValues) => JSON.stringify([body, query]);
  return sent(one) === sent(other);
}

/** The same for calls that say that they are the same. */
function eventOf(idempotencyKey: string | undefined): string {
  return idempotencyKey === undefined || idempotencyKey === ''
    ? `call-${randomUUID()}`
    : `key-${keyOf(idempotencyKey.slice(0, longestKey))}`;
}

function keyOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 40);
}
