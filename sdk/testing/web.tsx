import { render, type RenderResult } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router-dom';
import { memoryHostOn, type HostTestModule, type MemoryHost, type MemoryHostOptions } from './memory-host.ts';

export { FakeResponse, type FakeApi } from './fake-api.ts';
export type { MemoryHost, MemoryHostOptions } from './memory-host.ts';
export { permissionsOf } from './permissions.ts';
export { aColumn, aProject, aTable, numberType, textType } from './table-fixtures.ts';
export { answersOfView, aView } from './view-fixtures.ts';

/** Found at run time by the package's `imports`: the SDK itself knows no host. */
const hostModule = '#host-web';
const hostTestModule = (await import(/* @vite-ignore */ hostModule)) as HostTestModule;

/** Makes the page's own host, with a server, a live channel and a person of the test's, and a record of what was asked and said. @public */
export function createMemoryHost(options: MemoryHostOptions = {}): MemoryHost {
  return memoryHostOn(hostTestModule, options);
}

/** Draws a component as the host would, with a host in memory around it. @public */
export function renderWithHost(ui: ReactNode, options: MemoryHostOptions = {}): RenderResult & MemoryHost {
  const memory = createMemoryHost(options);
  const result = render(ui, {
    wrapper: ({ children }) => (
      <MemoryRouter initialEntries={[options.route ?? '/']}>
        <memory.Frame>{children}</memory.Frame>
      </MemoryRouter>
    ),
  });
  return { ...result, ...memory };
}
