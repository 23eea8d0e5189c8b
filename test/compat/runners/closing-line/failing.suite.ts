/** Fails in every way that a run can fail. */
import { beforeAll, describe, expect, it } from 'vitest';

describe('a shop', () => {
  it('pays', () => {
    expect(1).toBe(1);
  });

  it('pays once', () => {
    expect(2, 'the charges').toBe(1);
  });
});

describe('a shop without a sandbox', () => {
  beforeAll(() => {
    throw new Error('No sandbox answers.\nThis line is not the first.');
  });

  it('is not tried', () => {
    expect(1).toBe(1);
  });
});
