import { afterEach, expect, test } from '@jest/globals';
import { ApiError, type ApiRequest } from '@trellis/sdk/web';
import { aProject, aTable, renderWithHost } from '@trellis/sdk/testing/web';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Route, Routes } from 'react-router-dom';
import type { ApiDocument, Reference } from '../shared/index.ts';
import ReadPage from './ReadPage.tsx';

const document: ApiDocument = {
  openapi: '3.1.0',
  info: { title: 'Atlas', version: '1' },
  servers: [{ url: '/' }],
  tags: [{ name: 'City' }],
  paths: {
    '/api/v1/db/data/v1/Atlas/City/{rowId}': {
      patch: {
        operationId: 'changeCity',
        summary: 'Change cells of a row',
        tags: ['City'],
        parameters: [{ $ref: '#/components/parameters/rowId' }],
        requestBody: {
          required: true,
          content: {
            'application/json': { schema: { allOf: [shape('CityRequest'), { required: ['Name'] }] } },
          },
        },
        responses: { 200: { description: 'The row' } },
      },
    },
  },
  components: {
    parameters: { rowId: { name: 'rowId', in: 'path', required: true, schema: { type: 'string' } } },
    schemas: {
      CityRequest: {
        type: 'object',
        properties: { Name: { type: ['string', 'null'], description: 'As on the map' } },
      },
    },
  },
};

function shape(name: string): Reference {
  return { $ref: `#/components/schemas/${name}` };
}

function show(
  answer: (request: ApiRequest) => unknown = () => document,
  tables = 1,
  listOf: <T>(list: T) => T = (list) => list,
) {
  const list = Array.from({ length: tables }, (_, at) => ({
    ...aTable([]),
    id: `md_${at}`,
    title: `Table ${at}`,
  }));
  return renderWithHost(
    <Routes>
      <Route path="/nc/:projectId/redoc" element={<ReadPage />} />
    </Routes>,
    {
      route: '/nc/p_1/redoc',
      api: (request) => {
        if (request.path.endsWith('/tables')) return listOf({ list });
        return request.path.endsWith('swagger.json') ? answer(request) : aProject({ title: 'Atlas' });
      },
    },
  );
}

afterEach(cleanup);

test('says of each call where it goes and what it takes', async () => {
  show();
  expect(await screen.findByRole('heading', { name: 'Change cells of a row' })).toBeTruthy();
  expect(screen.getByText('/api/v1/db/data/v1/Atlas/City/{rowId}')).toBeTruthy();
  await userEvent.click(screen.getByText('Body'));
  const field = screen.getByText('Name').closest('div');
  expect(field?.textContent).toBe('Namerequiredstring | null As on the map');
});

test('asks for one table at a time where a project has many', async () => {
  const { requests } = show(undefined, 41);
  await screen.findByRole('heading', { name: 'Change cells of a row' });
  const asked = requests.filter(({ path }) => path.endsWith('swagger.json')).map(({ query }) => query);
  expect(asked).toEqual([{ table: 'md_0' }]);
  expect(screen.queryByRole('option', { name: 'All tables' })).toBeNull();
});

test('says why the calls cannot be shown', async () => {
  show(() => {
    throw new ApiError(403, 'Not allowed');
  });
  expect((await screen.findByRole('alert')).textContent).toContain('Not allowed');
});

test('reads the tables again where it was they that could not be read', async () => {
  let refuses = true;
  show(undefined, 1, (list) => {
    if (refuses) throw new ApiError(503, 'Not now');
    return list;
  });
  const retry = await screen.findByRole('button', { name: 'Try again' });
  refuses = false;
  await userEvent.click(retry);
  expect(await screen.findByRole('heading', { name: 'Change cells of a row' })).toBeTruthy();
});

test('says why the description could not be downloaded', async () => {
  let refuses = false;
  const { toasts } = show(() => {
    if (refuses) throw new ApiError(403, 'Not allowed');
    return document;
  });
  await screen.findByRole('heading', { name: 'Change cells of a row' });
  refuses = true;
  await userEvent.click(screen.getByRole('button', { name: 'Download OpenAPI' }));
  await waitFor(() =>
    expect(toasts).toMatchObject([
      {
        severity: 'error',
        summary: 'The description of the API could not be downloaded',
        detail: 'Not allowed',
      },
    ]),
  );
});
