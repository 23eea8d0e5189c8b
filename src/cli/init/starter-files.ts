/** The files that `init` writes, apart from the test. */

/** A file of a new project folder. */
export interface StarterFile {
  /** Below the folder. */
  readonly path: string;
  readonly about: string;
  readonly text: string;
  /** Mode of a file that can be run. */
  readonly mode?: number | undefined;
}

interface FileContext {
  /** Folder of the JSON Schemas for a file in `fixtures/` or `scenarios/`; `undefined` without node_modules. */
  readonly packagePath: string | undefined;
  readonly version: string;
}

/** The first line of a document: editors then complete and check what is typed. */
const schemaLine = ({ packagePath }: FileContext, path: string): string =>
  packagePath === undefined
    ? ''
    : `# yaml-language-server: $schema=${packagePath}/${path}/schema.json\n\n`;

/** Fixtures, a scenario and a compose file. */
export function starterFiles(context: FileContext): StarterFile[] {
  return [
    {
      path: 'fixtures/cards.yaml',
      about: 'cards that every merchant starts with',
      text: `${schemaLine(context, 'fixtures')}cards:
  - id: CARD-VISA0000000000001EXAMPLE # A fixed id that your tests can pay with.
    number: '4111111111111111' # A published test number. It is read once and not kept.
    type: visa
    expires: P2Y # Two years after the start of the sandbox.
    first_name: Nora
    last_name: Reader
`,
    },
    {
      path: 'scenarios/lost-answer.yaml',
      about: 'a scenario: the first answer of every purchase is lost',
      text: `${schemaLine(context, 'scenarios')}scenario: lost-answer
version: 1
about: The payment succeeds, but the client never receives the first answer.

rules:
  - name: lose the first answer of every purchase
    op: payment.create
    per: intent # Count the requests of each purchase separately.
    nth: 1
    then: reset-after-commit # The connection breaks after the card was charged.

expect:
  sales: { perIntent: 1 } # One charge for each purchase.
  orphans: 0 # No charge that the client does not know of.
`,
    },
    {
      path: 'compose.yaml',
      about: 'the sandbox as a container',
      text: `services:
  vault:
    image: \${CARD_VAULT_IMAGE:-card-vault-sandbox:${context.version}}
    read_only: true
    cap_drop: [ALL]
    ports:
      - 3000:3000
    volumes:
      - .:/sandbox:ro # fixtures/ and scenarios/
`,
    },
  ];
}
