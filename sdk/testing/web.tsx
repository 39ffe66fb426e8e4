import { Container, Emitter, type Registries } from '@trellis/core';
import { render, type RenderResult } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router-dom';
import type { LiveEvent, ProjectEntity, UserEntity } from '../shared/index.ts';
import {
  createWebRegistries,
  WebHostContext,
  type ApiRequest,
  type ConfirmQuestion,
  type ErrorSource,
  type ToastMessage,
  type UserStorage,
  type WebHost,
  type WebRegistries,
} from '../web/index.ts';
import { englishTexts } from '../web/grid/grid-texts.ts';
import { createFakeApi, usePlainData, type FakeApi } from './fake-api.ts';
import { asPlain, createSession, createShell, createStorage } from './memory-shell.ts';
import { PlainBoundary, PlainForm } from './plain-parts.tsx';

export { FakeResponse, type FakeApi } from './fake-api.ts';
export { aColumn, aProject, aTable, numberType, textType } from './table-fixtures.ts';

/** What the host of a test knows and answers. @public */
export interface MemoryHostOptions {
  /** Items to be found in the registries. */
  readonly registries?: { readonly [Id in keyof WebRegistries]?: readonly WebRegistries[Id][] };
  /** What the server answers. Without an answer a request is refused with 404. */
  readonly api?: FakeApi;
  /** Who is signed in; a plain member by default, `null` for a guest. */
  readonly user?: Partial<UserEntity> | null;
  readonly project?: ProjectEntity;
  /** What the person answers to a question. Default: yes. */
  readonly confirm?: (question: ConfirmQuestion) => boolean;
  /** Where the router stands. Default `/`. */
  readonly route?: string;
}

/** A host that lives in memory, and what happened to it. @public */
export interface MemoryHost {
  readonly host: WebHost;
  readonly registries: Registries<WebRegistries>;
  readonly services: Container;
  readonly requests: readonly ApiRequest[];
  readonly toasts: readonly ToastMessage[];
  readonly questions: readonly ConfirmQuestion[];
  /** What was told with `reportError`. */
  readonly reports: readonly {
    readonly source: ErrorSource;
    readonly where: string;
    readonly error: unknown;
  }[];
  /** Where `navigate` went. */
  readonly visited: readonly string[];
  /** Lets an event arrive on the live channel. */
  receive(event: LiveEvent): void;
}

/** Makes a host in memory: real registries, a fake server, and a record of what was asked and said. @public */
export function createMemoryHost(options: MemoryHostOptions = {}): MemoryHost {
  const registries = fillRegistries(options.registries ?? {});
  const services = new Container();
  const requests: ApiRequest[] = [];
  const toasts: ToastMessage[] = [];
  const questions: ConfirmQuestion[] = [];
  const reports: { source: ErrorSource; where: string; error: unknown }[] = [];
  const visited: string[] = [];
  const storages = new Map<string, UserStorage>();
  const live = new Emitter<LiveEvent>();
  const invalidated = new Emitter<readonly string[]>();
  const api = createFakeApi(options.api ?? {}, requests);
  const host: WebHost = {
    api,
    t: englishTexts,
    registry: (id) => registries.get(id),
    get: (token) => services.get(token),
    find: (token) => (services.has(token) ? services.get(token) : undefined),
    isPluginEnabled: () => true,
    toast: (message) => void toasts.push(message),
    confirm: (question) => {
      questions.push(question);
      return Promise.resolve(options.confirm?.(question) ?? true);
    },
    live: {
      connected: true,
      subscribe: (request, listener) =>
        asPlain(
          live.event((event) => {
            if ('tableId' in event && event.tableId === request.tableId) listener(event);
          }),
        ),
      onEvent: (listener) => asPlain(live.event(listener)),
      isOwn: () => Promise.resolve(false),
    },
    session: createSession(options.user),
    shell: createShell(options),
    userStorageOf(owner) {
      const storage = storages.get(owner) ?? createStorage();
      storages.set(owner, storage);
      return storage;
    },
    navigate: (path) => void visited.push(path),
    SchemaForm: PlainForm,
    Boundary: PlainBoundary,
    reportError: (source, where, error) => void reports.push({ source, where, error }),
    useServerData: (request, { tags = [] } = {}) => usePlainData(api, invalidated, request, tags),
    invalidate: (tags) => invalidated.fire(tags),
  };
  return {
    host,
    registries,
    services,
    requests,
    toasts,
    questions,
    reports,
    visited,
    receive: (event) => live.fire(event),
  };
}

/** Draws a component as the host would, with a host in memory around it. @public */
export function renderWithHost(ui: ReactNode, options: MemoryHostOptions = {}): RenderResult & MemoryHost {
  const memory = createMemoryHost(options);
  const result = render(ui, {
    wrapper: ({ children }) => (
      <MemoryRouter initialEntries={[options.route ?? '/']}>
        <WebHostContext value={memory.host}>{children}</WebHostContext>
      </MemoryRouter>
    ),
  });
  return { ...result, ...memory };
}

function fillRegistries(items: NonNullable<MemoryHostOptions['registries']>): Registries<WebRegistries> {
  const registries = createWebRegistries();
  for (const id of Object.keys(items) as (keyof WebRegistries)[]) {
    const registry = registries.get(id);
    // Both sides are of the same id, which the compiler cannot see in a loop.
    for (const item of items[id] ?? []) registry.register(item as never, 'test');
  }
  return registries;
}
