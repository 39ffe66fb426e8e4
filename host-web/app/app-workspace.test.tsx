import { afterEach, describe, expect, test } from '@jest/globals';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { askBeforeLeaving } from '@trellis/sdk/web';
import {
  closePage,
  entry,
  expectHeading,
  expectText,
  openPage,
  project,
  starts,
} from '../testing/app-page.tsx';
import { signedInServer } from '../testing/signed-in-server.ts';

afterEach(closePage);

describe("a project's workspace", () => {
  const server = (plugins = [entry('pages'), entry('tables')]) =>
    signedInServer(plugins).on('GET /api/v1/db/meta/projects/p_1', {
      data: project,
    });

  test('opens the tab that the address names and keeps the address in step', async () => {
    const { host } = await openPage(server(), '/nc/p_1?type=table&dbalias=tb_1&name=Orders');
    await expectHeading('Table Orders');
    expect(document.title).toBe('Northwind · Trellis');
    act(() => host.shell.openTab({ type: 'table', key: 'tb_2', name: 'Customers' }));
    await expectHeading('Table Customers');
    expect(location.hash).toBe(
      '#/nc/p_1?type=table&dbalias=tb_2&name=Customers'.replace(
        /type.*/,
        'name=Customers&dbalias=tb_2&type=table',
      ),
    );
    expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual(['Orders', 'Customers']);
  });

  test('keeps the view of each tab, and the names that its objects have now', async () => {
    const { host } = await openPage(server(), '/nc/p_1?type=table&dbalias=tb_1&name=Orders&view=vw_2');
    await expectHeading('Table Orders');
    act(() => host.shell.openTab({ type: 'table', key: 'tb_2', name: 'Customers' }));
    await waitFor(() => expect(location.hash).toContain('tb_2'));
    expect(location.hash).not.toContain('view=');
    act(() => host.shell.nameTabs('table', new Map([['tb_1', 'Sales']])));
    await userEvent.click(screen.getByRole('tab', { name: 'Sales' }));
    await waitFor(() => expect(location.hash).toBe('#/nc/p_1?name=Sales&dbalias=tb_1&type=table&view=vw_2'));
  });

  describe('asks before something is lost that is not saved', () => {
    let stop: () => void = () => undefined;
    const openUnsaved = async () => {
      const { host } = await openPage(server(), '/nc/p_1?type=table&dbalias=tb_1&name=Orders');
      await expectHeading('Table Orders');
      stop = askBeforeLeaving();
      return host;
    };
    const answer = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
    afterEach(() => stop());

    test('by another tab', async () => {
      const host = await openUnsaved();
      act(() => host.shell.openTab({ type: 'table', key: 'tb_2', name: 'Customers' }));
      await answer('Cancel');
      await expectHeading('Table Orders');
      act(() => host.shell.openTab({ type: 'table', key: 'tb_2', name: 'Customers' }));
      await answer('Leave');
      await expectHeading('Table Customers');
      // What is still there did not go with the tab that was left.
      await waitFor(() => expect(location.hash).toContain('tb_2'));
      // The page is drawn at the new address.
      await act(() => Promise.resolve());
      act(() => host.shell.openTab({ type: 'table', key: 'tb_1', name: 'Orders' }));
      await answer('Leave');
      await expectHeading('Table Orders');
    });

    test('by closing its tab', async () => {
      await openUnsaved();
      await userEvent.click(await screen.findByTitle('Close Orders'));
      await answer('Cancel');
      await expectHeading('Table Orders');
      await userEvent.click(await screen.findByTitle('Close Orders'));
      await answer('Leave');
      await expectText('Nothing is open');
    });

    test('by another address, which goes back where the person stays', async () => {
      await openUnsaved();
      const before = location.hash;
      act(() => {
        location.hash = '#/projects';
      });
      await answer('Cancel');
      await waitFor(() => expect(location.hash).toBe(before));
      await expectHeading('Table Orders');
      act(() => {
        location.hash = '#/nc/p_1?type=table&dbalias=tb_2&name=Customers';
      });
      await answer('Leave');
      await expectHeading('Table Customers');
    });

    /** Waits until the page has heard of a step in the history: the address is another one before it. */
    const travelled = async (step: () => unknown) => {
      const popped = new Promise((resolve) => addEventListener('popstate', resolve, { once: true }));
      await step();
      await act(() => popped);
    };

    test('by the way back, after which the history is as it was', async () => {
      await openPage(server(), '/nc/p_1?type=table&dbalias=tb_1&name=Orders');
      await expectHeading('Table Orders');
      await userEvent.click(screen.getByTitle('Home'));
      await waitFor(() => expect(location.hash).not.toContain('/nc/'));
      stop = askBeforeLeaving();
      const home = location.hash;
      const length = history.length;
      await travelled(() => history.back());
      await travelled(() => answer('Cancel'));
      expect(location.hash).toBe(home);
      await travelled(() => history.back());
      // Who comes back while they are asked has not left: they are asked the next time.
      await screen.findByRole('button', { name: 'Leave' });
      await travelled(() => history.forward());
      expect(location.hash).toBe(home);
      await answer('Leave');
      await travelled(() => history.back());
      await answer('Leave');
      await expectHeading('Table Orders');
      expect(history).toHaveLength(length);
      await travelled(() => history.forward());
      expect(location.hash).toBe(home);
    });

    test('by signing out, with which also goes what outlives its place', async () => {
      const host = await openUnsaved();
      stop();
      stop = askBeforeLeaving(undefined, 'page');
      const signOut = async () => {
        await userEvent.click(await screen.findByRole('button', { name: /^Account of/ }));
        await userEvent.click(screen.getByRole('menuitem', { name: 'Sign out' }));
      };
      await signOut();
      await answer('Cancel');
      expect(host.session.status).toBe('signedIn');
      await signOut();
      await answer('Leave');
      await waitFor(() => expect(host.session.status).toBe('guest'));
    });

    test('and not where the page keeps it', async () => {
      const host = await openUnsaved();
      stop();
      stop = askBeforeLeaving(undefined, 'page');
      act(() => host.shell.openTab({ type: 'table', key: 'tb_2', name: 'Customers' }));
      await expectHeading('Table Customers');
    });
  });

  test('calls a tab of no object as its kind is called, whatever it was called when it was opened', async () => {
    await openPage(server([entry('start')]), '/nc/p_1?type=start&dbalias=start&name=Anfang');
    expect((await screen.findByRole('tab')).textContent).toBe('Start');
  });

  test('closes tabs down to an empty state', async () => {
    const { host } = await openPage(server(), '/nc/p_1?type=table&dbalias=tb_1&name=Orders');
    await userEvent.click(await screen.findByTitle('Close Orders'));
    await expectText('Nothing is open');
    expect(document.activeElement?.id).toBe('tr-main');
    await waitFor(() => expect(location.hash).toBe('#/nc/p_1'));
    // Where the side bar is a drawer, this is the way to it.
    await userEvent.click(screen.getByRole('button', { name: 'Show the tables' }));
    const drawer = () => document.querySelector('.tr-side-bar--open');
    expect(drawer()).not.toBeNull();
    // What opens by itself leaves it open; where somebody goes, it is in the way.
    act(() => host.shell.openTab({ type: 'table', key: 'tb_1', name: 'Orders' }));
    await expectHeading('Table Orders');
    expect(drawer()).not.toBeNull();
    act(() => host.shell.openTab({ type: 'table', key: 'tb_2', name: 'Customers' }));
    await waitFor(() => expect(drawer()).toBeNull());
    // Whoever asks for the tab that is open already wants to see it.
    await userEvent.click(screen.getByRole('button', { name: 'Side bar' }));
    expect(drawer()).not.toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'To the customers' }));
    await waitFor(() => expect(drawer()).toBeNull());
  });

  test('closes a drawer by Escape, where the key is for nothing in it', async () => {
    await openPage(server(), '/nc/p_1?type=table&dbalias=tb_1&name=Orders');
    await userEvent.click(await screen.findByRole('button', { name: 'Side bar' }));
    const drawer = () => document.querySelector('.tr-side-bar--open');
    fireEvent.keyDown(screen.getByText('The tree'), { key: 'Escape', isComposing: true });
    expect(drawer()).not.toBeNull();
    screen
      .getByText('The tree')
      .addEventListener('keydown', (event) => event.preventDefault(), { once: true });
    fireEvent.keyDown(screen.getByText('The tree'), { key: 'Escape' });
    expect(drawer()).not.toBeNull();
    await userEvent.keyboard('{Escape}');
    expect(drawer()).toBeNull();
  });

  test('leaves a drawer open that was opened after something else was pressed in the side bar', async () => {
    const { host } = await openPage(server(), '/nc/p_1?type=table&dbalias=tb_1&name=Orders');
    await userEvent.click(await screen.findByText('The tree'));
    await userEvent.click(await screen.findByTitle('Close Orders'));
    await waitFor(() => expect(location.hash).toBe('#/nc/p_1'));
    await userEvent.click(screen.getByText('The tree'));
    await userEvent.click(screen.getByRole('button', { name: 'Show the tables' }));
    act(() => host.shell.openTab({ type: 'table', key: 'tb_1', name: 'Orders' }));
    await expectHeading('Table Orders');
    expect(document.querySelector('.tr-side-bar--open')).not.toBeNull();
  });

  test('draws what a plugin offers while no tab is open, and not before a tab that the address names', async () => {
    const plugins = [entry('pages'), entry('tables'), entry('start')];
    await openPage(server(plugins), '/nc/p_1?type=table&dbalias=tb_1&name=Orders');
    await expectHeading('Table Orders');
    expect(starts).toEqual([]);
    await userEvent.click(await screen.findByTitle('Close Orders'));
    await expectHeading('All closed');
  });

  test('says which tab no plugin can show', async () => {
    await openPage(server(), '/nc/p_1?type=cron&dbalias=x&name=Jobs');
    await expectText("No enabled plugin provides tabs of type 'cron'.");
  });

  test.each([
    [404, 'Project not found', 'This project was deleted, or you are not a member of it'],
    [403, 'projectGet - user : Not allowed', 'This project was deleted, or you are not a member of it'],
  ])('says in its own words why the project cannot be read: %i', async (status, msg, heading) => {
    const { host } = await openPage(
      server().on('GET /api/v1/db/meta/projects/p_2', { status, data: { msg } }),
      '/nc/p_2',
    );
    await expectHeading(heading);
    expect(host.shell.context.project).toBeUndefined();
  });
});

test('a project that is taken from somebody who is in it takes along what the frame offers for it', async () => {
  const server = signedInServer([entry('pages'), entry('tables')]);
  const path = 'GET /api/v1/db/meta/projects/p_1';
  const { host } = await openPage(
    server.on(path, { data: project }),
    '/nc/p_1?type=table&dbalias=tb_1&name=Orders',
  );
  await expectText('The tree');
  server.on(path, { status: 403, data: { msg: 'projectGet - user : Not allowed' } });
  act(() => host.liveCache.invalidate(['project:p_1']));
  await expectHeading('This project was deleted, or you are not a member of it');
  await waitFor(() => expect(screen.queryByText('The tree')).toBeNull());
});
