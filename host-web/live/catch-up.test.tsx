import { describe, expect, test } from '@jest/globals';
import { CatchUp } from './catch-up.ts';

/** A page after a gap: what it reads again, with time that passes when it is told to. */
function createPage(live: { connected: boolean; isStarted: boolean }) {
  const reads: string[] = [];
  const time = { now: 100 };
  let timer: (() => void) | undefined;
  const catchUp = new CatchUp({
    live,
    liveCache: {
      readAgainFrom: (before) => void reads.push(`all from before ${before}`),
      readFailed: () => void reads.push('failed'),
    },
    clock: {
      now: () => time.now,
      after: (_wait, run) => {
        timer = run;
        return () => {
          timer = undefined;
        };
      },
    },
  });
  /** The live channel connects. */
  const connect = (now: number) => {
    time.now = now;
    live.connected = true;
    catchUp.now();
  };
  return { catchUp, reads, connect, passTime: () => timer?.() };
}

describe('what the page has read, after a gap', () => {
  test('is read once where the server is heard of before the live channel is there', () => {
    const { catchUp, reads, connect, passTime } = createPage({ connected: false, isStarted: true });
    catchUp.afterLoss(90);
    expect(reads).toEqual([]);
    connect(110);
    passTime();
    expect(reads).toEqual(['all from before 110']);
  });

  test('is read once where the live channel is faster: only what failed since is read after it', () => {
    const { catchUp, reads, connect } = createPage({ connected: false, isStarted: true });
    connect(110);
    catchUp.afterLoss(90);
    expect(reads).toEqual(['all from before 110', 'failed']);
  });

  test('is read where the live channel was never lost, which may not have noticed yet', () => {
    const { catchUp, reads, connect } = createPage({ connected: false, isStarted: true });
    connect(80);
    catchUp.afterLoss(90);
    expect(reads).toEqual(['all from before 80', 'all from before 80']);
  });

  test('is read at once without a live channel, and after a while where that cannot connect', () => {
    const guest = createPage({ connected: false, isStarted: false });
    guest.catchUp.afterLoss(90);
    expect(guest.reads).toEqual(['all from before 100']);
    const proxied = createPage({ connected: false, isStarted: true });
    proxied.catchUp.soon();
    proxied.catchUp.soon();
    proxied.passTime();
    expect(proxied.reads).toEqual(['all from before 100']);
  });
});
