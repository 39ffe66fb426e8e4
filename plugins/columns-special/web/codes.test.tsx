import { afterEach, describe, expect, test } from '@jest/globals';
import { aColumn, renderWithHost } from '@trellis/sdk/testing/web';
import { cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { BarcodeCell, QrCodeCell } from './cells.tsx';
import { barcodePath, qrPath } from './code-path.ts';

afterEach(cleanup);

describe('a code', () => {
  test('of a text of any language fits into a square with the margin that cameras need', () => {
    expect(qrPath('Grüße 東京')).toMatchObject({ width: 29, height: 29 });
    expect(qrPath('x'.repeat(2331))).toBeDefined();
    for (const count of [2332, 3000, 1_000_000]) expect(qrPath('x'.repeat(count))).toBeUndefined();
  });

  test('of bars takes printable characters, and no others', () => {
    // Three digits: start, three characters or two, check and stop, of eleven and thirteen parts.
    expect(barcodePath('ABC')?.width).toBe(20 + 11 * 5 + 13);
    expect(barcodePath('Grüße')).toBeUndefined();
    expect(barcodePath('x'.repeat(81))).toBeUndefined();
  });

  test('stands beside its text, and opens large', async () => {
    const column = aColumn('cl_1', 'Code', { uidt: 'QrCode' });
    renderWithHost(<QrCodeCell value="abc" row={{}} column={column} options={{}} selected={false} />);
    const button = screen.getByRole('button', { name: 'Code of abc' });
    await screen.findByRole('img', { name: 'abc' });
    await userEvent.setup().click(button);
    expect(await screen.findByRole('dialog', { name: 'Code of abc' })).toBeTruthy();
    await userEvent.setup().keyboard('{Escape}');
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('that cannot be drawn leaves the text, and says why when it is opened', async () => {
    const column = aColumn('cl_1', 'Code', { uidt: 'Barcode' });
    renderWithHost(<BarcodeCell value="Grüße" row={{}} column={column} options={{}} selected={false} />);
    expect(screen.getByText('Grüße')).toBeTruthy();
    await userEvent.setup().click(screen.getByRole('button', { name: 'Code of Grüße' }));
    expect(await screen.findByText('This text cannot be drawn as a code.')).toBeTruthy();
  });
});
