import type { PluginEntity, PluginUsage } from '@trellis/sdk/shared';
import { messageOfError, useHost } from '@trellis/sdk/web';
import { createElement, useState } from 'react';
import { toastSubject, useNameOf } from './plugin-words.ts';
import { useConsent } from './use-consent.ts';
import { UsageReport } from './UsageReport.tsx';

const tags = ['plugins'];

/** Switches plugins on and off: the usage report and the dependents are shown before anything goes off. */
export function usePluginSwitch(plugins: readonly PluginEntity[]) {
  const host = useHost();
  const { api, t } = host;
  const agreed = useConsent();
  const inItsWords = useNameOf();
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set());

  function nameOf(id: string): string {
    const plugin = plugins.find((of) => of.id === id);
    return plugin === undefined ? id : inItsWords(plugin);
  }

  /** Those that are on and need this plugin, nearest last, so that they can go off in this order. */
  function activeDependents(plugin: PluginEntity): readonly string[] {
    return plugin.dependents.filter((id) =>
      plugins.some((other) => other.id === id && other.state !== 'disabled'),
    );
  }

  async function whileBusy<T>(id: string, work: () => Promise<T>): Promise<T | undefined> {
    setBusy((before) => new Set(before).add(id));
    try {
      return await work();
    } catch (error) {
      host.toast({
        severity: 'error',
        summary: t('{{name}} could not be switched', { name: nameOf(id) }),
        detail: messageOfError(error, t),
        life: 8000,
        subject: toastSubject(id),
      });
      return undefined;
    } finally {
      setBusy((before) => new Set([...before].filter((other) => other !== id)));
      host.invalidate(tags);
    }
  }

  function path(plugin: PluginEntity, call: string): string {
    return `/api/v1/app-store/plugins/${encodeURIComponent(plugin.id)}/${call}`;
  }

  /** Whether it is on then: nobody disagreed, and nothing failed. */
  async function enable(plugin: PluginEntity): Promise<boolean> {
    const isEnabled = await whileBusy(plugin.id, async () => {
      const isOn = await agreed({
        name: inItsWords(plugin),
        unagreed: plugin.unagreed,
        confirmLabel: t('Agree and switch on'),
        call: (consent) => api.request({ method: 'POST', path: path(plugin, 'enable'), body: { consent } }),
      });
      if (!isOn) return false;
      host.toast({
        severity: 'success',
        summary: t('{{name}} is on', { name: inItsWords(plugin) }),
        life: 2000,
        subject: toastSubject(plugin.id),
      });
      return true;
    });
    return isEnabled === true;
  }

  function disable(plugin: PluginEntity): Promise<unknown> {
    return whileBusy(plugin.id, async () => {
      const { usage } = await api.request<{ usage: readonly PluginUsage[] }>({ path: path(plugin, 'usage') });
      const dependents = activeDependents(plugin);
      if (usage.length > 0 || dependents.length > 0) {
        const agreed = await host.confirm({
          title: t('Switch {{name}} off?', { name: inItsWords(plugin) }),
          message: createElement(UsageReport, { usage, dependents: dependents.map(nameOf) }),
          confirmLabel: t('Switch off'),
          danger: true,
        });
        if (!agreed) return;
      }
      await api.request({ method: 'POST', path: path(plugin, 'disable'), body: { cascade: dependents } });
      host.toast({
        severity: 'success',
        summary: t('{{name}} is off', { name: inItsWords(plugin) }),
        life: 6000,
        subject: toastSubject(plugin.id),
        action: { label: t('Switch on again'), run: () => void enable(plugin) },
      });
    });
  }

  return { busy, enable, disable };
}
