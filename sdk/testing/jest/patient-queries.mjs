import { configure } from '@testing-library/dom';

/** `findBy` and `waitFor` wait for an event; how long that takes depends on what else the machine does. */
configure({ asyncUtilTimeout: 30_000 });
