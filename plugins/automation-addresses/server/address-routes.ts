import { createHash, randomUUID } from 'node:crypto';
import {
  BusToken,
  chainHeader,
  defineRoute,
  RateLimiterToken,
  RouteAnswer,
  type AutomationOfTrigger,
  type Automations,
  type AutomationStarted,
  type RouteDefinition,
  type RouteRequest,
  type ServerPluginContext,
  type SignedChains,
} from '@trellis/sdk/server';
import { automationsObjectKind } from '#plugins/automations/shared';
import { TrellisError, type TemplateValues } from '@trellis/sdk/shared';
import { addressCalled, idOfAddress, type LastCalls } from '../shared/index.ts';
import { addressErrors } from './address-errors.ts';
import type { Addresses } from './addresses.ts';
import { readBody } from './read-body.ts';

/** Limits the calls of one network address, including calls of unknown addresses. */
const callsOfCaller = { name: 'automation-callers', limit: 600, windowSeconds: 60 };
const callsOfAddress = { name: 'automation-addresses', limit: 600, windowSeconds: 60 };
const largestBody = 64 * 1024;
const longestKey = 200;
/** Milliseconds for which the list of automations and their addresses is cached. */
const knownFor = 1000;

/** Methods of programs that were set up for another kind of address. */
const otherMethods = ['GET', 'PUT', 'PATCH'] as const;

/** An automation with an address. */
interface Listed extends AutomationOfTrigger {
  readonly isOn: boolean;
}

const ofProject = { kind: 'project', param: 'projectId' } as const;

/** Creates addresses, shows the last calls, and handles the calls themselves. */
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
  const bus = ctx.get(BusToken);
  let known: { readonly at: number; readonly list: Promise<readonly Listed[]> } | undefined;

  async function readAll(): Promise<readonly Listed[]> {
    const [on, off] = await Promise.all([
      automations.list(addressCalled.id),
      automations.listOff(addressCalled.id),
    ]);
    return [...on.map((of) => ({ ...of, isOn: true })), ...off.map((of) => ({ ...of, isOn: false }))];
  }

  function list(): Promise<readonly Listed[]> {
    const read = readAll();
    known = { at: Date.now(), list: read };
    // After a failure it is read again.
    read.catch(() => (known = undefined));
    return read;
  }

  /**
   * The automations with an address, on or off. All of them are read at once, but rarely; if none of them is on, the address may be
   * new.
   */
  async function having(address: string): Promise<readonly Listed[]> {
    const of = (all: readonly Listed[]) => all.filter(({ settings }) => settings.address === address);
    const isKnown = known !== undefined && Date.now() - known.at < knownFor;
    const found = isKnown ? of((await known?.list) ?? []) : [];
    return found.some(({ isOn }) => isOn) ? found : of(await list());
  }

  async function addressesOf(project: string): Promise<readonly string[]> {
    const own = (await list()).filter(({ projectId }) => projectId === project);
    return own.map(({ settings }) => String(settings.address));
  }

  /** Accepts a call of a saved address. @throws TrellisError 404 for any other, 429 */
  async function letIn({ ip, params }: Pick<RouteRequest, 'ip' | 'params'>): Promise<void> {
    const address = params.address ?? '';
    // An address that was never issued is refused without a query.
    if (!addresses.isOurs(address)) throw addressErrors.create('ADDRESS_UNKNOWN');
    await limiter.consume(callsOfCaller, { address: ip });
    if ((await having(address)).length === 0) throw addressErrors.create('ADDRESS_UNKNOWN');
    await limiter.consume(callsOfAddress, keyOf(address));
  }

  /** Informs open pages of a call that begins no run. */
  async function tellPages(address: string): Promise<void> {
    for (const projectId of new Set((await having(address)).map((of) => of.projectId)))
      bus.publish('objects.changed', { projectId, objectKind: automationsObjectKind, requestId: '' });
  }

  /** Handles a call; if it is refused, the editor of the automation shows that it came, and why it was refused. */
  async function noting<T>(address: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof TrellisError) {
        const { message: msg, code } = error;
        // For an automation that is off, the call is stored as an example.
        if (code !== 'ADDRESS_OFF')
          await addresses.keepRefused(address, { at: new Date().toISOString(), msg, code });
        await tellPages(address);
      }
      throw error;
    }
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
      async handle({ params, scope }): Promise<LastCalls> {
        const address = (await addressesOf(scope.projectId ?? '')).find(
          (one) => idOfAddress(one) === params.id,
        );
        if (address === undefined) return { is_saved: false, call: null, refused: null };
        const [call = null, refused] = await Promise.all([
          addresses.last(address),
          addresses.refused(address),
        ]);
        const isLater = refused !== undefined && refused.at >= (call?.at ?? '');
        return { is_saved: true, call, refused: isLater ? refused : null };
      },
    }),
    defineRoute({
      method: 'POST',
      path: 'calls/:address',
      permission: 'public',
      summary: 'Start the automation whose secret address this is; JSON, a form or a text of at most 64 KB',
      bodyKind: 'raw',
      bodyLimit: largestBody,
      willReadBody: letIn,
      handle: ({ params, query, headers, stream }) =>
        noting(params.address ?? '', async () => {
          const address = params.address ?? '';
          const body = stream === undefined ? '' : await readBody(stream, headers['content-type']);
          const at = new Date().toISOString();
          const trigger = { body, query, at } as TemplateValues;
          const eventId = eventOf(headers['idempotency-key']);
          await addresses.keepLast(address, { at, body });
          const chain = chains.read(headers[chainHeader]);
          const started: AutomationStarted[] = [];
          for (const { id } of (await having(address)).filter(({ isOn }) => isOn))
            started.push(await automations.start(id, { eventId, trigger, chain }));
          if (started.some((one) => one.kind === 'known' && !isSame(one.trigger, trigger)))
            throw addressErrors.create('ADDRESS_KEY_OTHER');
          const isAny = (...kinds: readonly AutomationStarted['kind'][]) =>
            started.some(({ kind }) => kinds.includes(kind));
          if (!isAny('kept', 'known')) {
            if (isAny('round')) throw addressErrors.create('ADDRESS_ROUND');
            if (isAny('full')) throw addressErrors.create('ADDRESS_FULL');
            // All automations with the address may have been deleted since.
            const isOff = (await list()).some(({ settings }) => settings.address === address);
            throw addressErrors.create(isOff ? 'ADDRESS_OFF' : 'ADDRESS_UNKNOWN');
          }
          return new RouteAnswer({ status: 202, body: { msg: 'accepted' } });
        }),
    }),
    ...otherMethods.map((method) =>
      defineRoute({
        method,
        path: 'calls/:address',
        permission: 'public',
        summary: 'Refuse a call that is no POST, so that whoever builds the automation hears of it',
        bodyKind: 'none',
        async handle(request) {
          await letIn(request);
          return noting(request.params.address ?? '', () =>
            Promise.reject(addressErrors.create('ADDRESS_METHOD')),
          );
        },
      }),
    ),
  ];
}

/** Whether two calls had the same content. */
function isSame(one: TemplateValues, other: TemplateValues): boolean {
  const sent = ({ body, query }: TemplateValues) => JSON.stringify([body, query]);
  return sent(one) === sent(other);
}

/** Equal for calls with the same idempotency key. */
function eventOf(idempotencyKey: string | undefined): string {
  return idempotencyKey === undefined || idempotencyKey === ''
    ? `call-${randomUUID()}`
    : `key-${keyOf(idempotencyKey.slice(0, longestKey))}`;
}

function keyOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 40);
}
