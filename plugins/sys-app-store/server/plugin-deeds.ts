import { auditText, type AuditText } from '@trellis/sdk/server';

/** What the audit says of something that a person did to a plugin. */
export type PluginDeed = (of: { readonly person: string; readonly plugin: string }) => AuditText;

export const switchedOn: PluginDeed = (of) => auditText('{{person}} switched on the plugin {{plugin}}', of);
export const switchedOff: PluginDeed = (of) => auditText('{{person}} switched off the plugin {{plugin}}', of);
export const changedSettings: PluginDeed = (of) =>
  auditText('{{person}} changed the settings of the plugin {{plugin}}', of);
export const clearedSettings: PluginDeed = (of) =>
  auditText('{{person}} cleared the settings of the plugin {{plugin}}', of);
export const downloadedData: PluginDeed = (of) =>
  auditText('{{person}} downloaded the data of the plugin {{plugin}}', of);
export const putBackData: PluginDeed = (of) =>
  auditText('{{person}} put back the data of the plugin {{plugin}}', of);
export const removed: PluginDeed = (of) => auditText('{{person}} removed the plugin {{plugin}}', of);
export const removedWithData: PluginDeed = (of) =>
  auditText('{{person}} removed the plugin {{plugin}} with its data', of);

export const installed =
  (version: string): PluginDeed =>
  (of) =>
    auditText('{{person}} installed version {{version}} of the plugin {{plugin}}', { ...of, version });
export const usedVersion =
  (version: string): PluginDeed =>
  (of) =>
    auditText('{{person}} put version {{version}} of the plugin {{plugin}} into use', { ...of, version });
export const releasedColumn =
  (change: { readonly column: string; readonly from: string; readonly to: string }): PluginDeed =>
  (of) =>
    auditText('{{person}} changed {{column}} from {{from}} to {{to}} to remove the plugin {{plugin}}', {
      ...of,
      ...change,
    });
