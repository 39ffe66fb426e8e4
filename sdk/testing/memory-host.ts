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

/** What the host of a test knows and answers. @public */
export interface MemoryHostOptions {
  /** Items to be found in the registries, also in those of plugins. */
  readonly registries?: { readonly [Id in keyof WebRegistries]?: readonly WebRegistries[Id][] };
  /** What the server answers. Without an answer a request is refused with 404. */
  readonly api?: FakeApi;
  /** Who is signed in; a plain member by default, `null` for a guest. */
  readonly user?: Partial<UserEntity> | null;
  readonly project?: ProjectEntity;
  /** What the person answers to a question. Default: yes. */
  readonly confirm?: (question: ConfirmQuestion) => boolean | Promise<boolean>;
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
  /** Gives what is below it the host; `renderWithHost` draws in it. */
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

/** What the web host offers to the test kit, which itself knows no host. @internal */
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

/** A host for a test on the page that the web host makes. @internal */
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

/** Makes a registry of a plugin that is not here. @internal */
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
    // Both sides are of the same id, which the compiler cannot see in a loop.
    for (const item of items[id] ?? []) registry.register(item as never, 'test');
  }
}
