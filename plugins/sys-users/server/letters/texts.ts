/** The texts of the mails, by language. Names in braces are placeholders. */
const en = {
  inviteSubject: '{inviter} invites you to {project}',
  inviteText: '{inviter} would like to work with you on the project {project}.',
  inviteServerSubject: '{inviter} invites you to Trellis',
  inviteServerText: '{inviter} would like you to join them on Trellis.',
  inviteAction: 'Accept the invitation',
  inviteNote:
    'The link works once, until {day}, and for {email} alone. If you expected no invitation, you need not do anything.',
  addedSubject: '{inviter} added you to {project}',
  addedText: '{inviter} made you a member of the project {project}.',
  addedAction: 'Open the project',
  resetSubject: 'Set a new password for Trellis',
  resetText: 'Somebody, most likely you, asked to set a new password for {email}.',
  resetAction: 'Set a new password',
  resetNote:
    'The link works once, within the next {minutes} minutes. If it was not you, you need not do anything: your password stays as it is.',
  handedText: '{inviter} made a link with which you set a new password for {email}.',
  handedNote:
    'The link works once, within the next {hours} hours. Your password stays as it is until you use it.',
  verifySubject: 'Confirm your e-mail address',
  verifyText: 'Please confirm that {email} is your address.',
  verifyAction: 'Confirm the address',
  verifyNote: 'The link works once, until {day}. If you have no account here, you need not do anything.',
};

type Texts = Readonly<Record<keyof typeof en, string>>;

const de: Texts = {
  inviteSubject: '{inviter} lädt Sie zu {project} ein',
  inviteText: '{inviter} möchte mit Ihnen am Projekt {project} arbeiten.',
  inviteServerSubject: '{inviter} lädt Sie zu Trellis ein',
  inviteServerText: '{inviter} möchte, dass Sie bei Trellis mitmachen.',
  inviteAction: 'Einladung annehmen',
  inviteNote:
    'Der Link gilt einmal, bis zum {day}, und nur für {email}. Wenn Sie keine Einladung erwartet haben, müssen Sie nichts tun.',
  addedSubject: '{inviter} hat Sie zu {project} hinzugefügt',
  addedText: '{inviter} hat Sie zum Mitglied des Projekts {project} gemacht.',
  addedAction: 'Projekt öffnen',
  resetSubject: 'Neues Passwort für Trellis',
  resetText: 'Jemand, wahrscheinlich Sie selbst, möchte für {email} ein neues Passwort setzen.',
  resetAction: 'Neues Passwort setzen',
  resetNote:
    'Der Link gilt einmal, in den nächsten {minutes} Minuten. Wenn Sie das nicht waren, müssen Sie nichts tun: Ihr Passwort bleibt, wie es ist.',
  handedText: '{inviter} hat einen Link erstellt, mit dem Sie ein neues Passwort für {email} setzen.',
  handedNote:
    'Der Link gilt einmal, in den nächsten {hours} Stunden. Bis Sie ihn benutzen, bleibt Ihr Passwort, wie es ist.',
  verifySubject: 'Bestätigen Sie Ihre E-Mail-Adresse',
  verifyText: 'Bitte bestätigen Sie, dass {email} Ihre Adresse ist.',
  verifyAction: 'Adresse bestätigen',
  verifyNote: 'Der Link gilt einmal, bis zum {day}. Wenn Sie hier kein Konto haben, müssen Sie nichts tun.',
};

const languages: Readonly<Record<string, Texts>> = { en, de };

/** Texts and dates in the first language of `accept-language` that is available; English otherwise. */
export interface LetterTexts {
  text(key: keyof Texts, values?: Readonly<Record<string, string>>): string;
  /** A day, of milliseconds since 1970, in UTC. */
  day(time: number): string;
}

export function textsFor(accepted: string | undefined): LetterTexts {
  const wanted = (accepted ?? '').split(',').map((part) => part.trim().slice(0, 2).toLowerCase());
  const language = wanted.find((of) => Object.hasOwn(languages, of)) ?? 'en';
  const texts = languages[language] ?? en;
  const days = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' });
  return {
    text: (key, values = {}) =>
      texts[key].replace(/\{(\w+)\}/g, (whole, name: string) =>
        Object.hasOwn(values, name) ? (values[name] ?? '') : whole,
      ),
    day: (time) => days.format(time),
  };
}
