import { expect, test } from '@jest/globals';
import { describeEachMetadata } from '../../metadata/testing.ts';
import { createMetadata } from '../../metadata/metadata.ts';
import { createAccountStore } from './account-store.ts';

describeEachMetadata('the account store', (open) => {
  test('many people sign up at once on an empty database, and one of them becomes the super admin', async () => {
    const database = await open();
    const metadata = await createMetadata({ database, pollEvery: 0 });
    try {
      const store = createAccountStore({
        metadata,
        unitOf: () => {
          throw new Error('no plugin asks here');
        },
      });
      const emails = Array.from({ length: 12 }, (_, index) => `person${index}@example.com`);
      const made = await Promise.all(emails.map((email) => store.create({ email })));
      expect(made.filter(({ roles }) => roles.includes('super'))).toHaveLength(1);
    } finally {
      metadata.dispose();
    }
  });
});
