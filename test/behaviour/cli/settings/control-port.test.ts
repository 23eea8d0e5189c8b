/** `--control-port`: both addresses are printed, both servers end, and health checks find the right one. */
import { describe, expect, it } from 'vitest';
import { CliProcess, runCli } from '../cli-process.ts';
import { jsonLines } from '../json-lines.ts';

describe('--control-port', () => {
  it('is logged with the main port, and both servers end together', async () => {
    const cli = new CliProcess(['--port', '0', '--control-port', '0']);
    const [, controlUrl = ''] = await cli.printed(/"controlUrl":"([^"]+)"/);
    const url = await cli.url();
    expect(controlUrl).not.toBe(url);
    expect((await fetch(`${controlUrl}/_sandbox/health`)).status).toBe(200);
    expect((await fetch(`${url}/_sandbox/health`)).status).toBe(404);
    const { code, stdout } = await cli.stop();
    expect(code).toBe(0);
    expect(jsonLines(stdout)[0]).toMatchObject({ msg: 'listening', url, controlUrl });
    await expect(fetch(`${controlUrl}/_sandbox/health`)).rejects.toThrow('fetch failed');
  });

  it('is shown in the banner', async () => {
    const cli = new CliProcess(['--port', '0', '--log-format', 'pretty', '--control-port', '0']);
    const [, verdictUrl = ''] = await cli.printed(/Verdict {3}(http\S+)\n/);
    expect((await fetch(verdictUrl)).status).toBe(200);
    const [, controlUrl = ''] = await cli.printed(/Control {3}(http\S+)\n/);
    expect((await fetch(`${controlUrl}/docs/control`)).status).toBe(200);
  });

  it('is the port that health and wait use', async () => {
    const cli = new CliProcess(['--port', '0', '--control-port', '0']);
    const [, controlUrl = ''] = await cli.printed(/"controlUrl":"([^"]+)"/);
    const env = {
      CARD_VAULT_CONTROL_PORT: new URL(controlUrl).port,
      CARD_VAULT_CONTROL_HOST: '0.0.0.0',
      HOST: 'unused.test',
    };
    for (const command of ['health', 'wait']) {
      const probed = await runCli([command], { env });
      expect(probed).toEqual({ code: 0, stdout: `${controlUrl} is ready.\n`, stderr: '' });
    }
    const main = await runCli(['health', await cli.url()]);
    expect(main.code).toBe(1);
    expect(main.stderr).toContain(
      `The control API does not answer on this port but at ${controlUrl}`,
    );
  });

  it.each([
    [['--control-host', '::1'], '--control-host needs a control port.'],
    [['--control-port', 'x'], '--control-port must be a whole number from 0 to 65535'],
    [['--control-allowed-host', 'a:1'], '--control-allowed-host must be host names without ports'],
    [['--control-prot', '1'], 'Did you mean "--control-port"?'],
  ])('%j is a usage error', async (args, words) => {
    const { code, stdout, stderr } = await runCli(['--port', '0', ...args]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(words);
  });
});
