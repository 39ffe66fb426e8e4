import { describe, expect, test } from '@jest/globals';
import { continueTarget, guardRoute } from './route-guard.ts';

const guest = { status: 'guest', superAdmin: false };
const member = { status: 'signedIn', superAdmin: false };

describe('the route guard', () => {
  test.each([
    [undefined, guest, '/projects', 'signIn'],
    [undefined, member, '/projects', 'enter'],
    ['everyone', guest, '/', 'enter'],
    ['guest', guest, '/user/authentication/signin', 'enter'],
    ['guest', member, '/user/authentication/signin', 'onwards'],
    ['superAdmin', member, '/app-store', 'forbidden'],
    ['superAdmin', { ...member, superAdmin: true }, '/app-store', 'enter'],
    [undefined, guest, '/nc/view/abc', 'enter'],
    [undefined, guest, '/rpa/p_1', 'enter'],
    [undefined, guest, '/nc/viewer', 'signIn'],
  ] as const)('with access %s and %o at %s decides: %s', (access, session, path, decision) => {
    expect(guardRoute({ access }, session, path).kind).toBe(decision);
  });
});

describe('the way on after signing in', () => {
  test.each([
    ['?continue=%2Fnc%2Fp_1%3Ftype%3Dtable', '/nc/p_1?type=table'],
    ['', '/'],
    ['?continue=https%3A%2F%2Fevil.example', '/'],
    ['?continue=%2F%2Fevil.example', '/'],
    ['?continue=%2F%5Cevil.example', '/'],
    ['?continue=javascript%3Aalert(1)', '/'],
    ['?continue=%2Fuser%2Fauthentication%2Fsignin%3Fcontinue%3D%2F', '/'],
  ])('from %s leads to %s', (search, target) => {
    expect(continueTarget(search)).toBe(target);
  });
});
