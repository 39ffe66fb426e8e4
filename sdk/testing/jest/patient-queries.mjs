import { configure } from '@testing-library/dom';

/** `findBy` and `waitFor` wait for an event; the time depends on the machine's load. */
configure({ asyncUtilTimeout: 30_000 });
