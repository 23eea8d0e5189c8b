/**
 * Makes a certificate for this machine, signed by a certification authority that exists only for it. The private key of
 * the authority is never kept, so it can sign nothing else.
 */
import {
  createHash,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  sign,
  type KeyObject,
} from 'node:crypto';
import { isIP } from 'node:net';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  AuthorityKeyIdentifier,
  BasicConstraints,
  Certificate,
  ExtendedKeyUsage,
  Extension,
  Extensions,
  GeneralName,
  id_ce_authorityKeyIdentifier,
  id_ce_basicConstraints,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  id_ce_subjectAltName,
  id_ce_subjectKeyIdentifier,
  id_kp_serverAuth,
  KeyIdentifier,
  KeyUsage,
  KeyUsageFlags,
  Name,
  RelativeDistinguishedName,
  SubjectAlternativeName,
  SubjectKeyIdentifier,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
  Version,
} from '@peculiar/asn1-x509';
import { dayMs } from '../../domain/calendar.ts';

/** A certificate with its key, and the authority that clients must trust, all as PEM. */
export interface MadeCertificate {
  readonly cert: string;
  readonly key: string;
  readonly ca: string;
}

/** Some clients refuse server certificates that last longer than 398 days. */
const lifetimeDays = 397;

/** Makes a certificate for these names and addresses. */
export function makeCertificate(hosts: readonly string[], nowMs: number): MadeCertificate {
  const [authority, server] = [newKeys(), newKeys()];
  // Another name each time, so that a client that trusts two of them finds the right one.
  const issuer = nameOf(`card-vault-sandbox CA ${randomBytes(4).toString('hex')}`);
  const issued = { issuer, nowMs, signer: authority };
  const ca = signCertificate({
    ...issued,
    subject: issuer,
    keys: authority,
    extensions: [
      extension(
        id_ce_basicConstraints,
        new BasicConstraints({ cA: true, pathLenConstraint: 0 }),
        true,
      ),
      extension(
        id_ce_keyUsage,
        new KeyUsage(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign),
        true,
      ),
    ],
  });
  const cert = signCertificate({
    ...issued,
    subject: nameOf(hosts[0] ?? 'localhost'),
    keys: server,
    extensions: [
      extension(id_ce_basicConstraints, new BasicConstraints({ cA: false }), true),
      extension(id_ce_keyUsage, new KeyUsage(KeyUsageFlags.digitalSignature), true),
      extension(id_ce_extKeyUsage, new ExtendedKeyUsage([id_kp_serverAuth])),
      extension(id_ce_subjectAltName, new SubjectAlternativeName(hosts.map(generalName))),
    ],
  });
  const key = server.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { cert, key, ca };
}

interface Keys {
  readonly privateKey: KeyObject;
  /** The public key as a certificate holds it. */
  readonly info: SubjectPublicKeyInfo;
  readonly id: Buffer;
}

function newKeys(): Keys {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const der = createPublicKey(privateKey).export({ type: 'spki', format: 'der' });
  const info = AsnConvert.parse(der, SubjectPublicKeyInfo);
  return { privateKey, info, id: createHash('sha1').update(der).digest() };
}

interface Unsigned {
  readonly subject: Name;
  readonly issuer: Name;
  readonly keys: Keys;
  readonly signer: Keys;
  readonly nowMs: number;
  readonly extensions: readonly Extension[];
}

const ecdsaWithSha256 = '1.2.840.10045.4.3.2';

function signCertificate({ subject, issuer, keys, signer, nowMs, extensions }: Unsigned): string {
  const signatureAlgorithm = new AlgorithmIdentifier({ algorithm: ecdsaWithSha256 });
  const tbsCertificate = new TBSCertificate({
    version: Version.v3,
    serialNumber: bytesOf(newSerial()),
    signature: signatureAlgorithm,
    issuer,
    // The clocks of containers and their clients may differ.
    validity: new Validity({
      notBefore: new Date(nowMs - dayMs),
      notAfter: new Date(nowMs + (lifetimeDays - 1) * dayMs),
    }),
    subject,
    subjectPublicKeyInfo: keys.info,
    extensions: new Extensions([
      ...extensions,
      extension(id_ce_subjectKeyIdentifier, new SubjectKeyIdentifier(bytesOf(keys.id))),
      extension(
        id_ce_authorityKeyIdentifier,
        new AuthorityKeyIdentifier({ keyIdentifier: new KeyIdentifier(bytesOf(signer.id)) }),
      ),
    ]),
  });
  const signatureValue = sign(
    'sha256',
    Buffer.from(AsnConvert.serialize(tbsCertificate)),
    signer.privateKey,
  );
  const der = AsnConvert.serialize(
    new Certificate({
      tbsCertificate,
      signatureAlgorithm,
      signatureValue: bytesOf(signatureValue),
    }),
  );
  return pemOf(Buffer.from(der));
}

/** A positive number without a leading zero byte. */
function newSerial(): Buffer {
  const serial = randomBytes(16);
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40;
  return serial;
}

const commonName = '2.5.4.3';

function nameOf(text: string): Name {
  const attribute = new AttributeTypeAndValue({
    type: commonName,
    // The most characters that a common name may have.
    value: new AttributeValue({ utf8String: text.slice(0, 64) }),
  });
  return new Name([new RelativeDistinguishedName([attribute])]);
}

function generalName(host: string): GeneralName {
  return isIP(host) === 0
    ? new GeneralName({ dNSName: host })
    : new GeneralName({ iPAddress: host });
}

function extension(id: string, value: object, critical = false): Extension {
  return new Extension({
    extnID: id,
    critical,
    extnValue: new OctetString(AsnConvert.serialize(value)),
  });
}

/** The bytes in a buffer of their own, as the library needs them. */
function bytesOf(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}

function pemOf(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}
