/** https beside http: certificates, addresses, links and mistakes. */
import { execFile, spawnSync } from 'node:child_process';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  createSandbox,
  ListenError,
  type ListenOptions,
  type SandboxOptions,
} from '../../../src/index.ts';
import { makeCertificate } from '../../../src/transports/tls/make-certificate.ts';
import { askOverTls } from '../../support/tls-client.ts';
import { cardBody } from '../../support/samples.ts';

const unused = createSandbox({ fixtures: 'empty' });

async function open(
  tls: ListenOptions['tls'],
  more: ListenOptions = {},
  options: SandboxOptions = {},
) {
  const sandbox = createSandbox({ fixtures: 'empty', ...options });
  onTestFinished(() => sandbox.close());
  const listening = await sandbox.listen({ ...more, tls });
  if (listening.tls === undefined) throw new Error('It does not listen with TLS.');
  return { sandbox, listening, secure: listening.tls };
}

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'card-vault-sandbox-tls-'));
  onTestFinished(() => {
    rmSync(path, { recursive: true });
  });
  return path;
}

const health = '/_sandbox/health';
const authorization = { Authorization: 'Bearer sandbox.shop' };

describe('https', () => {
  it('is served beside http, for the same merchants, once a client trusts the authority', async () => {
    const { listening, secure } = await open(true);
    expect([listening.url, secure.url]).toEqual([
      `http://127.0.0.1:${listening.port}`,
      `https://127.0.0.1:${secure.port}`,
    ]);
    expect(secure.port).not.toBe(listening.port);
    const stored = await askOverTls(`${secure.url}/v1/vault/credit-card`, {
      ca: secure.ca,
      method: 'POST',
      headers: { ...authorization, 'Content-Type': 'application/json' },
      body: JSON.stringify(cardBody()),
    });
    expect(stored.status).toBe(201);
    const { id } = JSON.parse(stored.body) as { readonly id: string };
    const read = await fetch(`${listening.url}/v1/vault/credit-card/${id}`, {
      headers: authorization,
    });
    expect(read.status).toBe(200);
  });

  it('starts links with https, and http links with http', async () => {
    const { sandbox, listening, secure } = await open(true);
    const { merchant } = { merchant: sandbox.merchant('shop') };
    const stored = await merchant.fetch('http://sandbox/v1/vault/credit-card', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(cardBody()),
    });
    const { id } = (await stored.json()) as { readonly id: string };
    const path = `/v1/vault/credit-card/${id}`;
    const over = await askOverTls(secure.url + path, { ca: secure.ca, headers: authorization });
    expect(JSON.parse(over.body)).toMatchObject({
      links: expect.arrayContaining([
        expect.objectContaining({ rel: 'self', href: secure.url + path }),
      ]),
    });
    const plain = await fetch(listening.url + path, { headers: authorization });
    expect(await plain.text()).toContain(listening.url + path);
    const page = await askOverTls(`${secure.url}/`, { ca: secure.ca });
    expect(page.body).toContain(secure.url);
  });

  it.each(['localhost', '127.0.0.1'])('has a certificate for %s', async (host) => {
    const { secure } = await open(true);
    const url = `https://${host}:${secure.port}${health}`;
    expect(await askOverTls(url, { ca: secure.ca })).toMatchObject({ status: 200 });
  });

  it('is refused by a client that does not trust the authority', async () => {
    const { secure } = await open(true);
    await expect(askOverTls(secure.url + health, {})).rejects.toThrow(
      /unable to verify|self-signed/,
    );
  });

  // Node's own client just leaves. Clients of OpenSSL say why.
  it.skipIf(spawnSync('curl', ['--version']).error)(
    'reports that a client does not trust the authority',
    async () => {
      const reasons: string[] = [];
      const listeners = {
        onUnreadable: ({ reason }: { readonly reason: string }) => void reasons.push(reason),
      };
      const { secure } = await open(true, {}, { listeners });
      await once(
        execFile('curl', ['--silent', secure.url + health], () => undefined),
        'close',
      );
      expect(reasons).toEqual([
        expect.stringContaining('A client does not trust the certificate. Let it trust'),
      ]);
    },
  );

  it('reports a client that uses plain HTTP on its port', async () => {
    const reasons: string[] = [];
    const listeners = {
      onUnreadable: ({ reason }: { readonly reason: string }) => void reasons.push(reason),
    };
    const { secure } = await open(true, {}, { listeners });
    await expect(fetch(`http://127.0.0.1:${secure.port}/`)).rejects.toThrow('fetch failed');
    expect(reasons).toEqual([
      expect.stringContaining('A client used plain HTTP on the port of https.'),
    ]);
  });

  it('does not serve the control API if that has a port of its own', async () => {
    const { listening, secure } = await open(true, { control: { port: 0 } });
    const answer = await askOverTls(`${secure.url}/_sandbox`, { ca: secure.ca });
    expect(answer.status).toBe(404);
    expect(answer.body).toContain(listening.control.url);
  });

  it('closes with the sandbox, handshakes that never end included', async () => {
    const { sandbox, secure } = await open(true);
    const silent = connect(secure.port, '127.0.0.1');
    await once(silent, 'connect');
    const closed = once(silent, 'close');
    silent.on('error', () => undefined);
    await sandbox.close();
    await closed;
    await expect(askOverTls(secure.url, { ca: secure.ca })).rejects.toThrow('ECONNREFUSED');
  });

  it('leaves no server open if its port is in use', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port: taken } = server.address() as AddressInfo; // It listens on TCP.
    const sandbox = createSandbox({ fixtures: 'empty' });
    const free = await sandbox.listen();
    await free.close();
    const opening = sandbox.listen({ port: free.port, tls: { port: taken } });
    await expect(opening).rejects.toThrow(
      `Port ${taken} on 127.0.0.1 is in use. Stop the other process or choose another port, such as listen({ tls: { port: 7843 } }).`,
    );
    await expect(fetch(free.url)).rejects.toThrow('fetch failed');
  });
});

describe('a made certificate', () => {
  it('covers the given names, the address that is listened on, and this machine', async () => {
    const { subjectAltName } = new X509Certificate(
      makeCertificate(['localhost', '::1', '10.0.0.7', 'vault', '*.shop.test'], Date.now()).cert,
    );
    expect(subjectAltName).toBe(
      'DNS:localhost, IP Address:0:0:0:0:0:0:0:1, IP Address:10.0.0.7, DNS:vault, DNS:*.shop.test',
    );
    const { secure } = await open({ hosts: ['vault'] }, { host: '0.0.0.0' });
    const url = `https://127.0.0.1:${secure.port}${health}`;
    expect(await askOverTls(url, { ca: secure.ca })).toMatchObject({ status: 200 });
    expect(hostname()).not.toBe('');
  });

  it('is signed by an authority that signs nothing else, in the form that strict clients require', () => {
    const [one, other] = [
      makeCertificate(['localhost'], Date.now()),
      makeCertificate(['localhost'], Date.now()),
    ];
    const [ca, cert] = [new X509Certificate(one.ca), new X509Certificate(one.cert)];
    expect([ca.ca, cert.ca, cert.checkIssued(ca), cert.verify(ca.publicKey)]).toEqual([
      true,
      false,
      true,
      true,
    ]);
    expect(new X509Certificate(other.ca).subject).not.toBe(ca.subject);
    expect(Date.parse(cert.validTo) - Date.parse(cert.validFrom)).toBeLessThanOrEqual(
      398 * 86_400_000,
    );
  });

  it('writes the authority to a file, and replaces an older one', async () => {
    const caFile = join(folder(), 'ca.pem');
    writeFileSync(caFile, 'old');
    const { secure } = await open({ caFile });
    expect(readFileSync(caFile, 'utf8')).toBe(secure.ca);
    expect(readFileSync(caFile, 'utf8')).not.toContain('PRIVATE KEY');
  });

  it.each([
    [
      'a folder',
      (path: string) => {
        mkdirSync(path);
      },
      'it is a folder',
    ],
    [
      'a symbolic link',
      (path: string) => {
        symlinkSync('/no/such', path);
      },
      'it is a symbolic link',
    ],
  ])('is not written in the place of %s', async (_, make, words) => {
    const caFile = join(folder(), 'ca.pem');
    make(caFile);
    await expect(unused.listen({ tls: { caFile } })).rejects.toThrow(
      `Cannot write tls.caFile "${caFile}": ${words}.`,
    );
  });

  it('is not written into a folder that does not exist', async () => {
    const caFile = join(folder(), 'none', 'ca.pem');
    await expect(unused.listen({ tls: { caFile } })).rejects.toThrow(
      `Cannot write tls.caFile "${caFile}" (ENOENT).`,
    );
  });
});

describe('a given certificate', () => {
  const made = makeCertificate(['localhost', '127.0.0.1'], Date.now());
  const dayMs = 86_400_000;

  it('is used, as PEM text or as files', async () => {
    const files = { cert: join(folder(), 'cert.pem'), key: join(folder(), 'key.pem') };
    writeFileSync(files.cert, made.cert);
    writeFileSync(files.key, made.key);
    for (const tls of [{ cert: made.cert, key: made.key }, files]) {
      const { secure } = await open(tls);
      expect(secure.ca).toBeUndefined();
      expect(await askOverTls(secure.url + health, { ca: made.ca })).toMatchObject({ status: 200 });
    }
  });

  const encrypted = () =>
    createPrivateKey(made.key)
      .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' })
      .toString();

  it.each<[string, () => Exclude<ListenOptions['tls'], undefined>, string]>([
    [
      'without a key',
      () => ({ cert: made.cert }),
      'tls.cert needs its private key: set tls.key too.',
    ],
    [
      'without a certificate',
      () => ({ key: made.key }),
      'tls.key needs the certificate of that key',
    ],
    [
      'with the key of another',
      () => ({ cert: made.cert, key: makeCertificate(['localhost'], Date.now()).key }),
      'The key of tls.key belongs to another certificate than the one of tls.cert.',
    ],
    [
      'that has expired',
      () => makeCertificate(['localhost'], Date.now() - 800 * dayMs),
      'The certificate of tls.cert expired at ',
    ],
    [
      'that is not valid yet',
      () => makeCertificate(['localhost'], Date.now() + 800 * dayMs),
      'The certificate of tls.cert is not valid before ',
    ],
    [
      'whose file is missing',
      () => ({ cert: '/no/cert.pem', key: made.key }),
      'tls.cert must name a readable PEM file, but /no/cert.pem cannot be read (ENOENT).',
    ],
    [
      'whose key file is a folder',
      () => ({ cert: made.cert, key: tmpdir() }),
      'cannot be read (EISDIR).',
    ],
    [
      'that is a key',
      () => ({ cert: made.key, key: made.key }),
      'tls.cert must be a certificate in PEM form',
    ],
    [
      'with a key that is a certificate',
      () => ({ cert: made.cert, key: made.cert }),
      'tls.key must be a private key in PEM form',
    ],
    [
      'with an encrypted key',
      () => ({ cert: made.cert, key: encrypted() }),
      'The key of tls.key is encrypted. Decrypt it first',
    ],
    [
      'with a file for an authority',
      () => ({ cert: made.cert, key: made.key, caFile: '/no/x.pem' }),
      'tls.caFile is for the certificate that the sandbox makes.',
    ],
    [
      'with names',
      () => ({ cert: made.cert, key: made.key, hosts: ['vault'] }),
      'tls.hosts is for the certificate that the sandbox makes.',
    ],
  ])('is refused %s', async (_, tls, words) => {
    const given = tls();
    const options =
      typeof given === 'object' && 'ca' in given ? { cert: given.cert, key: given.key } : given;
    const opening = unused.listen({ tls: options });
    await expect(opening).rejects.toThrow(ListenError);
    await expect(opening).rejects.toThrow(words);
  });
});

it.each([
  [{ hosts: ['vault:3443'] }, 'must be a host name or an IP address, without a port'],
  [{ port: 70_000 }, 'tls.port'],
  [{ certificate: 'x' }, 'certificate'],
])('refuses %j as TLS options', async (tls, words) => {
  await expect(unused.listen({ tls: tls as ListenOptions['tls'] })).rejects.toThrow(words);
});

it.each(['/run/sandbox.sock', 'unix:/run/sandbox.sock', 'C:\\pipe'])(
  'refuses to listen on %s',
  async (host) => {
    await expect(unused.listen({ host })).rejects.toThrow('Unix sockets are not served');
  },
);

it.each(['::', '[::1]', '::1'])('listens on %s', async (host) => {
  const sandbox = createSandbox({ fixtures: 'empty' });
  onTestFinished(() => sandbox.close());
  const { port } = await sandbox.listen({ host });
  expect((await fetch(`http://[::1]:${port}${health}`)).status).toBe(200);
});
