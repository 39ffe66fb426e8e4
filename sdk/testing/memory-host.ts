import { Registry, type Container, type Registries } from '@trellis/core';
import type { ReactNode } from 'react';
import type { LiveEvent, ProjectEntity, UserEntity } from '../shared/index.ts';
import { accountPermissionsOf } from './permissions.ts';
import { createFakeServer, type FakeApi, type SentRequest } from './fake-api.ts';
import {
  type ApiRequest,
  type ApiResponse,
  type ConfirmQuestion,
  type ErrorSource,
  type ToastMessage,
  type WebColumnType,
  type WebHost,
  type WebRegistries,
} from '../web/index.ts';

/** The state and the answers of a test's host. @public */
export interface MemoryHostOptions {
  /** Items of the registries, including those of plugins. */
  readonly registries?: { readonly [Id in keyof WebRegistries]?: readonly WebRegistries[Id][] };
  /** The server's answers. A request without an answer is refused with 404. */
  readonly api?: FakeApi;
  /** The signed-in person; default: an ordinary member; `null`: a guest. */
  readonly user?: Partial<UserEntity> | null;
  readonly project?: ProjectEntity;
  /** The person's answer to a question. Default: yes. */
  readonly confirm?: (question: ConfirmQuestion) => boolean | Promise<boolean>;
  /** The router's initial route. Default `/`. */
  readonly route?: string;
}

/** A host in memory, with a record of what happened. @public */
export interface MemoryHost {
  readonly host: WebHost;
  readonly registries: Registries<WebRegistries>;
  readonly services: Container;
  readonly requests: readonly ApiRequest[];
  readonly toasts: readonly ToastMessage[];
  readonly questions: readonly ConfirmQuestion[];
  /** The errors passed to `reportError`. */
  readonly reports: readonly {
    readonly source: ErrorSource;
    readonly where: string;
    readonly error: unknown;
  }[];
  /** The targets of `navigate`. */
  readonly visited: readonly string[];
  /** Delivers an event on the live channel. */
  receive(event: LiveEvent): void;
  /** Provides the host to its children; `renderWithHost` draws in it. */
  Frame(props: { readonly children: ReactNode }): ReactNode;
}

const member: UserEntity = {
  id: 'us_test',
  email: 'member@example.com',
  firstname: null,
  lastname: null,
  email_verified: true,
  roles: { user: true },
  permissions: accountPermissionsOf('user'),
};

/** What the web host provides to the test kit, which does not know a host. @internal */
export interface HostTestModule {
  createPageInMemory(options: {
    readonly answer: (request: SentRequest) => Promise<ApiResponse<unknown>>;
    readonly user: UserEntity | undefined;
    readonly project: ProjectEntity | undefined;
    readonly onToast: (message: ToastMessage) => void;
    readonly onQuestion: (question: ConfirmQuestion) => boolean | Promise<boolean>;
    readonly onReport: (source: ErrorSource, where: string, error: unknown) => void;
    readonly onVisit: (path: string) => void;
  }): Pick<MemoryHost, 'host' | 'registries' | 'services' | 'receive' | 'Frame'>;
}

/** A host for a test on the page that the web host creates. @internal */
export function memoryHostOn(
  { createPageInMemory }: HostTestModule,
  options: MemoryHostOptions = {},
): MemoryHost {
  const requests: ApiRequest[] = [];
  const toasts: ToastMessage[] = [];
  const questions: ConfirmQuestion[] = [];
  const reports: { source: ErrorSource; where: string; error: unknown }[] = [];
  const visited: string[] = [];
  const page = createPageInMemory({
    answer: createFakeServer(options.api ?? {}, requests),
    user: options.user === null ? undefined : { ...member, ...options.user },
    project: options.project,
    onToast: (message) => void toasts.push(message),
    onQuestion(question) {
      questions.push(question);
      return options.confirm?.(question) ?? true;
    },
    onReport: (source, where, error) => void reports.push({ source, where, error }),
    onVisit: (path) => void visited.push(path),
  });
  fillRegistries(page.registries, options.registries ?? {});
  return { ...page, requests, toasts, questions, reports, visited };
}

/** Defines a registry of another plugin that is not loaded. @internal */
export function defineOfOthers(registries: Registries<WebRegistries>, id: keyof WebRegistries): void {
  if (registries.ids().includes(id)) return;
  registries.define(new Registry({ id, absentPolicy: 'Its plugin is not here.' }) as Registry<WebColumnType>);
}

function fillRegistries(
  registries: Registries<WebRegistries>,
  items: NonNullable<MemoryHostOptions['registries']>,
): void {
  for (const id of Object.keys(items) as (keyof WebRegistries)[]) {
    defineOfOthers(registries, id);
    const registry = registries.get(id);
    // Both sides have the same id, which the compiler cannot infer in a loop.
    for (const item of items[id] ?? []) registry.register(item as never, 'test');
  }
}
