/** How `serve` ends. */
import { once } from 'node:events';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { CliProcess } from '../cli-process.ts';
import { jsonLines } from '../json-lines.ts';

/** A request whose head has arrived and whose body has not. */
async function openPost(url: string): Promise<ClientRequest> {
  const post = request(`${url}/v1/vault/credit-cards`, {
    method: 'POST',
    headers: {
      Authorization: 'Bearer sandbox.my-shop',
      'Content-Type': 'application/json',
      // The server sends "100 Continue" once it has read the head, so the request is in progress.
      Expect: '100-continue',
    },
  });
  post.on('error', () => undefined);
  post.flushHeaders();
  await once(post, 'continue');
  return post;
}

async function answerTo(post: ClientRequest): Promise<IncomingMessage> {
  const [answer] = (await once(post, 'response')) as [IncomingMessage];
  answer.resume();
  return answer;
}

describe.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('%s', (signal) => {
  it('ends with exit code 0 and logs it', async () => {
    const cli = new CliProcess(['--port', '0']);
    await cli.url();
    cli.kill(signal);
    const { code, stdout, stderr } = await cli.ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(jsonLines(stdout).slice(1)).toMatchObject([
      { level: 'info', msg: 'stopping', signal, graceMs: 5000 },
      { level: 'info', msg: 'stopped' },
    ]);
  });

  it('lets a request in progress finish', async () => {
    const cli = new CliProcess(['--port', '0']);
    const post = await openPost(await cli.url());
    cli.kill(signal);
    await cli.printed(/"stopping"/);
    const answered = answerTo(post);
    post.end(
      '{"type":"visa","number":"4111111111111111","expire_month":12,"expire_year":2099,"first_name":"Ada","last_name":"Tester"}',
    );
    expect((await answered).statusCode).toBe(201);
    const { code, stdout } = await cli.ended;
    expect(code).toBe(0);
    const messages = jsonLines(stdout).map(({ msg }) => msg);
    expect(messages).toEqual(['listening', 'stopping', 'exchange', 'stopped']);
  });
});

describe('a second signal', () => {
  it('ends requests in progress at once, with the exit code of the signal', async () => {
    const cli = new CliProcess(['--port', '0']);
    await openPost(await cli.url());
    // Signals within half a second count as the same Ctrl-C, so send until one counts.
    const again = setInterval(() => {
      cli.kill('SIGINT');
    }, 50);
    const { code, stdout } = await cli.ended;
    clearInterval(again);
    expect(code).toBe(130);
    expect(jsonLines(stdout).slice(1)).toMatchObject([
      { level: 'info', msg: 'stopping' },
      { level: 'warn', msg: 'stopped', signal: 'SIGINT' },
    ]);
  });

  it('is not the Ctrl-C that npm repeats', async () => {
    const cli = new CliProcess(['--port', '0']);
    const post = await openPost(await cli.url());
    cli.kill('SIGINT');
    await cli.printed(/"stopping"/);
    cli.kill('SIGINT');
    const answered = answerTo(post);
    post.end('{}');
    expect((await answered).statusCode).toBe(400);
    expect((await cli.ended).code).toBe(0);
  });
});
