/** The HTTP client of the JDK, without further packages. */
import { expect, it } from 'vitest';
import { createSandbox } from '../../../src/index.ts';
import { runOrSkip, script } from './programs.ts';

/** Java runs a source file only if the compiler is installed. */
const jdk = {
  command: 'java',
  probe: ['--describe-module', 'jdk.compiler'],
  needs: 'Java Development Kit',
};

it('the Java client runs from token to refund', async (context) => {
  const sandbox = createSandbox({ fixtures: 'empty' });
  const { url } = await sandbox.listen({ port: 0 });
  try {
    const { stdout: printed } = await runOrSkip(context, jdk, [script('Walk.java'), url, 'java']);
    expect(printed.trim().split(/\r?\n/)).toEqual([
      'POST 200',
      'POST 201',
      'PATCH 200',
      'POST 201',
      'POST 201',
      'DELETE 204',
      'GET 404',
    ]);
    expect(sandbox.merchant('java').ledger().balances).toEqual({
      USD: { cardholders: 0, merchant: 0 },
    });
  } finally {
    await sandbox.close();
  }
});

it('the Java clients authenticate once they are challenged', async (context) => {
  const sandbox = createSandbox({ fixtures: 'empty' });
  const { url } = await sandbox.listen({ port: 0 });
  try {
    const { stdout } = await runOrSkip(context, jdk, [script('Challenge.java'), url]);
    expect(stdout.trim().split(/\r?\n/)).toEqual(['HttpClient 200', 'HttpURLConnection 200']);
    expect(sandbox.merchants()).toEqual(['my-shop']);
  } finally {
    await sandbox.close();
  }
});
