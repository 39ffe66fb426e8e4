import { jest } from '@jest/globals';

/** Suites that start servers and browsers get a minute per test. */
jest.setTimeout(60_000);
