/**
 * The names of fields and schemes that come before a secret. The searches and the prefilter are both made of this list,
 * so a name that is added here is found by both.
 */

export interface SecretName {
  /** In lower case, as a search looks for it. */
  readonly word: string;
  /** A part of the word that few other words contain. The prefilter looks for it. */
  readonly stem: string;
}

/** Names, each with its stem in brackets. All stems of one list have the same length. */
function names(...marked: readonly string[]): readonly SecretName[] {
  return marked.map((name) => {
    const [, before = '', stem = '', after = ''] = /^([^[]*)\[(.+)\](.*)$/.exec(name) ?? [];
    if (stem === '') throw new Error(`The secret name ${name} needs its stem in brackets.`);
    return { word: before + stem + after, stem };
  });
}

/** `security code` and `security_value`: words that say what the code is for, and words that end the name. */
const codeEndings = ['code', 'value'] as const;
const codeSeparators = ['', ' ', '_', '-'] as const;

/** `card` is in nearly every answer, so its stem includes what follows it: `card_code` gives `d_co`. */
const cardCodeNames = codeSeparators.flatMap((separator) =>
  codeEndings.map((ending) => {
    const rest = separator + ending;
    return `car[d${rest.slice(0, 3)}]${rest.slice(3)}`;
  }),
);

export const secretNames = {
  number: names('n[umb]er'),
  /** A digit or a word such as `_code` may follow. */
  shortCodes: names('[cvv]', '[ccv]'),
  /** A digit may follow. */
  cvc: names('[cvc]'),
  /** Found as whole words only, like `cvn`: other words contain them. */
  wholeWordCodes: names('[cid]', '[csc]'),
  /** A digit may follow. */
  cvn: names('[cvn]'),
  /** `code` or `value` follows. */
  codePurposes: names('se[curi]ty', 'veri[fica]tion'),
  cardCodes: names(...cardCodeNames),
  clientSecret: names('[sec]ret'),
  tokens: names('[tok]en'),
  authorization: names('a[uth]orization'),
  bearer: names('be[arer]'),
  basic: names('[basi]c'),
  /** Members that name a field in a value of their own, in a patch or a list of fields. */
  namingMembers: names('["pa]th"', '["na]me"', '["ke]y"'),
} as const satisfies Readonly<Record<string, readonly SecretName[]>>;

/** The words as alternatives of a regular expression. */
export function anyOf(...lists: readonly (readonly SecretName[])[]): string {
  return lists
    .flat()
    .map(({ word }) => word)
    .join('|');
}

/** `code` and `value`, as alternatives, after an optional separator. */
export const codeEnding = `[ _-]?(?:${codeEndings.join('|')})`;
