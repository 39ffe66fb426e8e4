import { messageFiles, messagesText, readMessages } from '../texts/message-files.ts';
import { textOwners } from '../texts/text-owners.ts';

/**
 * Every text of the product in English, as a file of messages has it: what a language translates. The key of a text is the English
 * itself, of an error its code; a text with a number has a form for one thing and one for others.
 */
export function englishTexts(root: string): string {
  const owners = textOwners(root);
  const texts = owners.flatMap((owner) =>
    owner.texts.flatMap(({ text, counts, one = text }): readonly (readonly [string, string])[] =>
      counts
        ? [
            [`${text}_one`, one],
            [`${text}_other`, text],
          ]
        : [[text, text]],
    ),
  );
  const errors = owners.flatMap((owner) =>
    owner.errors.map(({ code, message }) => [`error.${code}`, message.replaceAll(/\{(\w+)\}/g, '{{$1}}')]),
  );
  const ofManifests = messageFiles()
    .filter((file) => /^plugins\/[^/]+\/messages\//.test(file))
    .flatMap((file) => Object.keys(readMessages(file)).map((text) => [text, text]));
  const audited = owners.flatMap((owner) => owner.audited.map((text) => [text, text]));
  return messagesText(
    Object.fromEntries([...ofManifests, ...audited, ...texts, ...errors]) as Record<string, string>,
  );
}
