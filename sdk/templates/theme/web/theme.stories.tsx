import { Notice, TextField, WorkButton } from '@trellis/sdk/web/ui';
import { theme } from './theme.ts';

/** Custom properties by the names that a theme gives them. */
function styleOf(colors: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(colors).map(([name, color]) => [`--trellis-${name}`, color]));
}

/** The theme's colours by name, and what the page draws in them. */
function Look({ colors }: { readonly colors: Readonly<Record<string, string>> }) {
  return (
    <section className="tr-page" style={styleOf(colors)}>
      <ul>
        {Object.entries(colors).map(([name, color]) => (
          <li key={name}>
            <span style={{ background: color, display: 'inline-block', inlineSize: 48, blockSize: 16 }} />{' '}
            {name} <code>{color}</code>
          </li>
        ))}
      </ul>
      <WorkButton className="tr-button tr-button--primary" isBusy={false} onClick={() => undefined}>
        Save
      </WorkButton>
      <WorkButton className="tr-button" isBusy={false} onClick={() => undefined}>
        Cancel
      </WorkButton>
      <TextField label="Name" value="Ada" onChange={() => undefined} />
      <Notice severity="info">Something that a person should know.</Notice>
    </section>
  );
}

/** What the stories have in common, as Storybook reads it. */
export default { title: 'My plugin/Theme', component: Look };

export const Light = { args: { colors: theme.light } };

export const Dark = { args: { colors: theme.dark } };
