/** The command prints no card number that a client sends. */
import { expect, it } from 'vitest';
import { CliProcess } from '../../behaviour/cli/cli-process.ts';
import { appearsIn } from '../support/card-numbers.ts';
import { hiddenPlaces } from './secret-places.ts';
import { sendSecret } from './send-secret.ts';

it.each(['json', 'pretty'])(
  'no log line shows a card number from any place of a request (%s)',
  async (format) => {
    const cli = new CliProcess(['--port', '0', '--log-level', 'debug', '--log-format', format]);
    const url = await cli.url();
    const number = '4929851042331971';
    for (const [at, place] of hiddenPlaces.entries()) {
      await sendSecret(fetch, url, `merchant-${at}`, place, number);
    }
    const { stdout, stderr } = await cli.stop();
    expect(stdout, 'each request has its line').toContain('merchant-99');
    expect(appearsIn(stdout + stderr, number)).toBe(false);
  },
);
