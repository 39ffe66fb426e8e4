import { MyPluginPage } from './MyPluginPage.tsx';

/** What the stories have in common, as Storybook reads it. */
export default { title: 'My plugin/Page', component: MyPluginPage };

const notes = 'GET /api/v1/plugins/my-plugin/notes';

// `host` furnishes the page in which a story is drawn: what its server answers, for one.
export const Empty = { parameters: { host: { api: { [notes]: { count: 0 } } } } };

export const Full = { parameters: { host: { api: { [notes]: { count: 1200 } } } } };

// Without an answer the request is refused.
export const Refused = {};
