import { afterEach, expect, jest, test } from '@jest/globals';
import { aColumn, aProject, aTable, aView, renderWithHost, textType } from '@trellis/sdk/testing/web';
import { cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import GallerySettings from './GallerySettings.tsx';

afterEach(cleanup);

const photo = { ...textType, id: 'Photo', Cover: () => null };
const settings = { coverId: 'cl_photo', coverFit: 'cover', cardSize: 'medium', showsNames: true };

test('a gallery is told which size its cards have, and how pictures are fitted', async () => {
  const onChange = jest.fn();
  const table = aTable([aColumn('cl_name', 'Name'), aColumn('cl_photo', 'Photo', { uidt: 'Photo' })]);
  renderWithHost(
    <GallerySettings
      {...{ table, settings, onChange }}
      project={aProject()}
      view={aView()}
      readOnly={false}
    />,
    {
      registries: { columnTypes: [textType, photo] },
    },
  );
  await userEvent.click(screen.getByText('Large'));
  expect(onChange).toHaveBeenLastCalledWith({ ...settings, cardSize: 'large' });
  await userEvent.click(screen.getByText('Shown whole'));
  expect(onChange).toHaveBeenLastCalledWith({ ...settings, coverFit: 'contain' });
});
