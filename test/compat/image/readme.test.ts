/** Runs the documented lines for the image, and starts containers as the documented snippets do. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { exampleOf } from '../../support/repository/documentation.ts';
import { root } from '../../support/repository/source-files.ts';
import { call, Container, must, runLines, tag } from './container.ts';
import { folderWith, oneCard, ownScenario } from './mounts.ts';
import {
  composeSnippet,
  gitHubSnippet,
  gitHubVerdict,
  gitLabSnippet,
  type Snippet,
} from './snippets.ts';
import { freePort, freePorts } from '../../support/free-port.ts';

/** The documented lines, with other names and ports, because theirs may be in use. */
async function withOwnNames(lines: string): Promise<string> {
  const [port, tlsPort] = await freePorts(2);
  const name = `vault-${port}`;
  const volume = `${name}-worlds`;
  onTestFinished(async () => {
    await call('rm', '-f', '-t', '0', name);
    await call('volume', 'rm', '-f', volume);
  });
  return (
    lines
      .replaceAll('3000:3000', `${port}:3000`)
      .replaceAll('localhost:3000', `127.0.0.1:${port}`)
      .replaceAll('3443:3443', `${tlsPort}:3443`)
      .replaceAll('localhost:3443', `127.0.0.1:${tlsPort}`)
      .replaceAll('vault-worlds', volume)
      .replaceAll(/(?<= )vault(?= |$)/gm, name)
      // After `docker exec`, the name is that of the command in the image.
      .replaceAll(/(?<= )(?<!docker exec \S+ )card-vault-sandbox(?= |$)/gm, tag)
  );
}

const nameIn = (lines: string): string => /--name (\S+)/.exec(lines)?.[1] ?? '';

const userFolder = () =>
  folderWith({
    'sandbox/fixtures/cards.yaml': oneCard,
    'sandbox/scenarios/bad-day.yaml': ownScenario,
  });

describe('shell lines of the documentation', () => {
  it('build the image, run it, wait, send requests, read the logs and stop it', async () => {
    const ran = await runLines(await withOwnNames(exampleOf('docker')), root);
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
    expect(ran.stdout).toContain('is ready.\n{"items":[{');
    expect(ran.stdout + ran.stderr).toContain('"msg":"listening"');
  });

  it('mount a folder', async () => {
    const lines = await withOwnNames(exampleOf('docker mounted'));
    const name = nameIn(lines);
    const waitAndRead = [
      `docker exec ${name} card-vault-sandbox wait`,
      `docker exec ${name} node -e "fetch('http://127.0.0.1:3000/_sandbox/about').then((a) => a.text()).then(console.log)"`,
    ].join('\n');
    const extended = lines.replace(/(?=^docker logs)/m, `${waitAndRead}\n`);
    const ran = await runLines(extended, userFolder());
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
    expect(ran.stdout).toContain('"scenario":"our-bad-day"');
  });

  it('show the message of a usage error', async () => {
    const lines = await withOwnNames(exampleOf('docker mounted'));
    const mistaken = lines.replace('--scenario our-bad-day', '--scenario our-bad-dya');
    expect(mistaken).not.toBe(lines);
    // The mistake ends the container before its log is read.
    const waiting = mistaken.replace(/(?=^docker logs)/m, `docker wait ${nameIn(lines)}\n`);
    const ran = await runLines(waiting, userFolder());
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
    expect(ran.stdout).toMatch(/^2$/m);
    expect(ran.stderr).toContain('Did you mean "our-bad-day"?');
  });

  it('serve https that curl trusts', async () => {
    const ran = await runLines(await withOwnNames(exampleOf('docker tls')), folderWith({}));
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
    expect(ran.stdout).toContain('{"status":"ready"');
  });

  it.each([
    ['a restart', 'docker restart NAME'],
    ['a crash', 'docker kill NAME\ndocker start NAME'],
    ['its replacement', 'docker stop NAME\ndocker rm NAME\nRUN'],
  ])('keep worlds in a volume over %s of the container', async (_what, restart) => {
    const lines = await withOwnNames(exampleOf('docker persist'));
    const [name, run = ''] = [nameIn(lines), /^docker run .*$/m.exec(lines)?.[0]];
    const ask = (init: string) =>
      `docker exec ${name} node -e "fetch('http://127.0.0.1:3000/_sandbox/rules?merchant=kept', ${init}).then((a) => a.text()).then(console.log)"`;
    const arm = `{ method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ op: 'card.get', outcome: 'error-forever', name: 'kept-rule' }) }`;
    const wait = `docker exec ${name} card-vault-sandbox wait`;
    const again = restart.replaceAll('NAME', name).replace('RUN', run);
    // The file is saved soon after a change.
    const saved = `while ! docker exec ${name} grep -q kept-rule /worlds/worlds; do :; done`;
    const all = [lines, ask(arm), saved, again, wait, ask('{}')].join('\n');
    const ran = await runLines(all, folderWith({}));
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
    expect(ran.stdout.trim().split('\n').at(-1)).toContain('"kept-rule"');
  });
});

const Answers = z.object({ seed: z.string(), cards: z.array(z.string()) });

/** A program of a job: prints the seed and the cards of the sandbox at its VAULT_URL. */
const look = `
const ask = async (path) =>
  (await fetch(process.env.VAULT_URL + path, { headers: { Authorization: 'Bearer sandbox.my-shop' } })).json();
Promise.all([ask('/_sandbox/about'), ask('/v1/vault/credit-cards')]).then(([{ seed }, { items }]) =>
  console.log(JSON.stringify({ seed, cards: items.map(({ id }) => id) })));
`;

/** Starts the service of a snippet as its runner would, and reads it from a job. */
async function seenByJob({ options, alias, url }: Snippet): Promise<z.infer<typeof Answers>> {
  if (alias === undefined) {
    const { port } = await Container.start(options);
    return lookFrom(['--network=host'], url.replace('3000', String(port)));
  }
  const network = `vault-${await freePort()}`;
  await must('network', 'create', network);
  // Tests clean up in reverse, and a network can be removed once it is empty.
  onTestFinished(async () => void (await must('network', 'rm', network)));
  await Container.start([...options, '--network', network, '--network-alias', alias]);
  return lookFrom(['--network', network], url);
}

async function lookFrom(network: readonly string[], url: string): Promise<z.infer<typeof Answers>> {
  const job = ['-e', `VAULT_URL=${url}`, '--entrypoint', 'node', tag, '-e', look];
  return Answers.parse(JSON.parse(await must('run', '--rm', ...network, ...job)));
}

describe('snippets of the documentation', () => {
  it('start the service of a compose file', async () => {
    expect(await seenByJob(composeSnippet(userFolder()))).toEqual({
      seed: 'checkout',
      cards: ['CARD-MOUNTED00000000000000001'],
    });
  });

  it.each([
    ['GitHub Actions', gitHubSnippet],
    ['GitLab CI', gitLabSnippet],
  ])('start a service of %s', async (_runner, snippet) => {
    const { seed, cards } = await seenByJob(snippet());
    expect([seed, cards.length]).toEqual(['checkout', 8]);
  });

  it('write the verdict of a service of GitHub Actions', async () => {
    const container = await Container.start();
    const folder = folderWith({});
    const ran = await runLines(gitHubVerdict(container.id), folder);
    expect(ran).toMatchObject({ code: 1, stdout: '', stderr: '' });
    const report = readFileSync(join(folder, 'verdict.xml'), 'utf8');
    expect(report).toContain('name="no-requests"');
  });
});
