/**
 * The names of fields and schemes that come before a secret. The prefilter and the searches are both made of this list,
 * and docs/concepts/real-cards.md prints it, so a name that is added here is found by all.
 *
 * Names are compared in lower case, without accents, signs and spaces: `securitycode` also stands for `Security-Code`,
 * `security_code` and `sécurity code`.
 */

export type SecretKind = 'number' | 'code' | 'client-secret' | 'scheme';

export interface SecretName {
  readonly word: string;
  readonly kind: SecretKind;
  /**
   * `suffix`: letters may come before it, as in `card_cvv2`. `word`: other words contain it, as `acid` contains `cid`,
   * so it must be a word of its own. `key`: it must be the whole key.
   */
  readonly place: 'suffix' | 'word' | 'key';
  /** The value must be three or four digits: `cvv_code` also names the result of the check. */
  readonly needsDigits: boolean;
}

/** Names of verification codes, which no other word ends with. */
const codeNames = [
  'cvv cvv1 cvv2 ccv ccv2 cvc cvc1 cvc2 cvc3',
  'securitycode securitynumber securityvalue securitydigits',
  'verificationcode verificationnumber verificationvalue verificationdigits',
  'validationcode validationnumber validationvalue',
  'cardcode cardvalue cardverification cardidentificationnumber cardidentificationcode signaturepanelcode',
  // German, French, Spanish, Portuguese, Italian, Dutch.
  'kartenprufnummer kartenpruefnummer prufnummer pruefnummer prufziffer pruefziffer sicherheitscode',
  'codedesecurite codesecurite cryptogramme cryptogrammevisuel codigodeseguridad codigoseguridad codigodeverificacion',
  'codigodeseguranca codigoseguranca codicedisicurezza codicesicurezza beveiligingscode veiligheidscode',
].flatMap(splitWords);

/** Names of verification codes that other words contain. */
const shortCodeNames = splitWords('cid csc cvn cvn2 cvd cvd2 cav cav2');

/** Words that may follow a name: `cvv_number`. */
const codeEndings = splitWords('code number value num digits');
const [codesWithEndings, shortCodesWithEndings] = [
  splitWords('cvv cvv2 ccv cvc cvc2'),
  splitWords('cid csc cvn cvd cav cvn2 cvd2 cav2'),
].map((names) => names.flatMap((name) => codeEndings.map((ending) => name + ending)));

export const secretNames: readonly SecretName[] = [
  ...listNames('code', 'suffix', codeNames),
  ...listNames('code', 'word', shortCodeNames),
  ...listNames('code', 'suffix', codesWithEndings ?? [], true),
  ...listNames('code', 'word', shortCodesWithEndings ?? [], true),
  ...listNames('number', 'suffix', splitWords('cardnumber cardno ccnumber primaryaccountnumber')),
  ...listNames('number', 'key', ['number']),
  ...listNames(
    'client-secret',
    'suffix',
    splitWords('clientsecret accesstoken refreshtoken authorization'),
  ),
  ...listNames('scheme', 'word', splitWords('bearer basic')),
];

/** Keys of the value in a member pair such as `{"name":"cvv2","value":"941"}`. */
export const valueKeys: ReadonlySet<string> = new Set(
  splitWords('value val values content data text v answer input default newvalue'),
);

function listNames(
  kind: SecretKind,
  place: SecretName['place'],
  words: readonly string[],
  needsDigits = false,
): readonly SecretName[] {
  return words.map((word) => ({ word, kind, place, needsDigits }));
}

function splitWords(words: string): string[] {
  return words.split(' ');
}
