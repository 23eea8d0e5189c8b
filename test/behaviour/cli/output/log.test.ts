/** What a log line must not contain. */
import { expect, it } from 'vitest';
import { redactedError } from '../../../../src/cli/output/log.ts';

it('logs an error without card data that it quotes', () => {
  const cause = new Error('at {"cvv2":"874"}');
  const error = Object.assign(new TypeError('no card 4417119669820331', { cause }), {
    body: '4417119669820331',
  });
  const written = redactedError(error);
  expect(written).toMatchObject({
    type: 'TypeError',
    message: expect.stringContaining('no card xxxxxxxxxxxx0331'),
    stack: expect.stringContaining('log.test.ts'),
  });
  expect(JSON.stringify(written)).not.toMatch(/4417119669820331|874/);
});
