/** Reads the TLS options of `listen`: the certificate that was given, or one that is made. */
import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { createSecureContext } from 'node:tls';
import { fileErrorCode, findPathProblem, replaceFile } from '../../shared/atomic-file.ts';
import { ListenError, type TlsPaths, type TlsWords } from '../listen-options.ts';

/** What a TLS server needs, as PEM. */
export interface ServerCertificate {
  readonly cert: string;
  readonly key: string;
  /** The certificate of the authority that clients must trust. `undefined` if the certificate was given. */
  readonly ca: string | undefined;
}

/** The names of this machine that every client on it may use. */
const loopbackNames = ['localhost', '127.0.0.1', '::1'] as const;

/** Reads the certificate that was given, or makes one. Throws a `ListenError` if the options are wrong. */
export async function certificateFor(
  options: TlsPaths,
  listenHost: string,
): Promise<ServerCertificate> {
  const { cert, key, caFile, hosts = [] } = options;
  if (cert === undefined && key === undefined) {
    // Most sandboxes have no TLS, and their start should not wait for this.
    const { makeCertificate } = await import('./make-certificate.ts');
    const names = new Set([...loopbackNames, ...ownNames(listenHost), ...hosts]);
    const made = makeCertificate([...names], Date.now());
    if (caFile !== undefined) writeCa(caFile, made.ca);
    return made;
  }
  if (cert === undefined) {
    throw failure(
      (words) => `${words.key} needs the certificate of that key: set ${words.cert} too.`,
    );
  }
  if (key === undefined) {
    throw failure((words) => `${words.cert} needs its private key: set ${words.key} too.`);
  }
  if (caFile !== undefined) {
    throw failure(
      (words) =>
        `${words.caFile} is for the certificate that the sandbox makes. With ${words.cert}, give clients the authority that signed it.`,
    );
  }
  if (hosts.length > 0) {
    throw failure(
      (words) =>
        `${words.hosts} is for the certificate that the sandbox makes. The certificate of ${words.cert} has its own names.`,
    );
  }
  return givenCertificate(cert, key);
}

/** The names that clients elsewhere use. Docker gives a container its host name. */
function ownNames(listenHost: string): string[] {
  return listenHost === '0.0.0.0' || listenHost === '::' ? [hostname()] : [listenHost];
}

function givenCertificate(certificate: string, privateKey: string): ServerCertificate {
  const cert = textOf(certificate, 'cert');
  const key = textOf(privateKey, 'key');
  const parsed = parseCertificate(cert);
  if (!parsed.checkPrivateKey(parseKey(key))) {
    throw failure(
      (words) =>
        `The key of ${words.key} belongs to another certificate than the one of ${words.cert}. If the file holds a chain, the certificate of the server must come first.`,
    );
  }
  const nowMs = Date.now();
  if (Date.parse(parsed.validTo) < nowMs) {
    throw failure(
      (words) =>
        `The certificate of ${words.cert} expired at ${isoTime(parsed.validTo)}, so clients would refuse it. Renew it, or omit it to let the sandbox make one.`,
    );
  }
  if (Date.parse(parsed.validFrom) > nowMs) {
    throw failure(
      (words) =>
        `The certificate of ${words.cert} is not valid before ${isoTime(parsed.validFrom)}, so clients would refuse it. Check the clock of this machine.`,
    );
  }
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    throw failure(
      (words) =>
        `Node cannot use the certificate of ${words.cert}: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
  return { cert, key, ca: undefined };
}

const isoTime = (text: string): string => new Date(text).toISOString();

/** A PEM text as it is; otherwise the content of the file with that path. */
function textOf(given: string, option: 'cert' | 'key'): string {
  if (given.includes('-----BEGIN ')) return given;
  try {
    return readFileSync(given, 'utf8');
  } catch (error) {
    throw failure(
      (words) =>
        `${words[option]} must name a readable PEM file, but ${given} cannot be read (${fileErrorCode(error)}).`,
    );
  }
}

function parseCertificate(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch {
    throw failure(
      (words) =>
        `${words.cert} must be a certificate in PEM form, which begins with -----BEGIN CERTIFICATE-----.`,
    );
  }
}

function parseKey(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    const isEncrypted = /-----BEGIN ENCRYPTED|^Proc-Type: 4,ENCRYPTED/m.test(pem);
    throw failure((words) =>
      isEncrypted
        ? `The key of ${words.key} is encrypted. Decrypt it first: openssl pkey -in <key file> -out <new file>.`
        : `${words.key} must be a private key in PEM form, which begins with -----BEGIN PRIVATE KEY-----.`,
    );
  }
}

function writeCa(path: string, ca: string): void {
  const problem = findPathProblem(path);
  if (problem !== undefined) {
    throw failure(
      (words) =>
        `Cannot write ${words.caFile} "${path}": ${problem}. Name a file that may be replaced.`,
    );
  }
  try {
    replaceFile(path, ca);
  } catch (error) {
    throw failure(
      (words) =>
        `Cannot write ${words.caFile} "${path}" (${fileErrorCode(error)}). Name a file in an existing, writable folder.`,
    );
  }
}

function failure(write: (words: TlsWords) => string): ListenError {
  return new ListenError('tls', (_, words) => write(words));
}
