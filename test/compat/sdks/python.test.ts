/** Python's urllib, without further packages. */
import { expect, it } from 'vitest';
import { createSandbox } from '../../../src/index.ts';
import { runOrSkip, script } from './programs.ts';

it('the Python client runs from token to refund', async (context) => {
  const sandbox = createSandbox({ fixtures: 'empty' });
  const { url } = await sandbox.listen({ port: 0 });
  try {
    const python = { command: 'python3', probe: ['--version'], needs: 'python3' };
    const { stdout: printed } = await runOrSkip(context, python, [
      script('walk.py'),
      url,
      'python',
    ]);
    expect(JSON.parse(printed)).toEqual({
      statuses: [200, 201, 201, 201, 400, 204],
      number: 'xxxxxxxxxxxx0331',
      sale: 'completed',
      refund: '10.11',
      refused: 'REFUND_EXCEEDED_TRANSACTION_AMOUNT',
      deleted: null,
    });
    expect(sandbox.merchant('python').ledger().balances).toEqual({
      USD: { cardholders: -2000, merchant: 2000 },
    });
  } finally {
    await sandbox.close();
  }
});
