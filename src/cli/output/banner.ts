/** The banner after a start: the address, how to get access, what to try. */
import { styleText } from 'node:util';
import { tokenCall } from '../../contract/service/examples.ts';
import type { About } from '../../sandbox/answers.ts';
import { exampleMerchant } from '../../contract/constants.ts';
import { asCurl, examplesFor } from './examples.ts';

export interface StartInfo extends Pick<
  About,
  'version' | 'profile' | 'seed' | 'auth' | 'realCards' | 'scenario'
> {
  readonly url: string;
  /** The address of https, if it is served. */
  readonly tlsUrl: string | undefined;
  /** The file with the certificate that clients must trust. */
  readonly caFile: string | undefined;
  /** The address of the control port, if there is one. */
  readonly controlUrl: string | undefined;
  readonly fixtures: string;
  readonly baseUrl: string | undefined;
  /** Whether links follow the headers of a proxy. */
  readonly trustProxy: boolean | undefined;
  /** Whether the scenario file is watched. */
  readonly watched: boolean;
  /** Whether the user chose the seed, so that the banner need not explain how to repeat it. */
  readonly seedGiven: boolean;
}

/** The line about real cards. */
const cardLines: Readonly<Record<StartInfo['realCards'], string>> = {
  refuse: 'Test numbers only; others are refused (--real-cards=refuse).',
  warn: 'Test numbers; others get a warning (--real-cards=warn).',
  off: 'Card numbers are not checked (--real-cards=off).',
};

type Style = Parameters<typeof styleText>[0];

/** Writes the banner, for 80 columns. */
export function banner(info: StartInfo, colour: boolean): string {
  const {
    url,
    tlsUrl,
    caFile,
    trustProxy,
    controlUrl,
    version,
    profile,
    seed,
    seedGiven,
    auth,
    fixtures,
    baseUrl,
  } = info;
  const { scenario, watched, realCards } = info;
  const style = (format: Style, text: string) =>
    colour ? styleText(format, text, { validateStream: false }) : text;
  const row = (name: string, ...lines: readonly string[]) => [
    `  ${style('dim', name.padEnd(10))}${lines.join(`\n${' '.repeat(12)}`)}`,
  ];
  const formatExample = (title: string, command: string) => [
    '',
    `  ${style('dim', `# ${title}`)}`,
    ...command.split('\n').map((line) => `  ${line}`),
  ];
  const open = auth === 'open';
  return [
    '',
    `  ${style('bold', 'card-vault-sandbox')} ${version}`,
    '',
    ...row('Base URL', style(['bold', 'cyan'], url)),
    ...(tlsUrl === undefined
      ? []
      : row(
          'https',
          style(['bold', 'cyan'], tlsUrl),
          ...(caFile === undefined ? [] : [`Clients must trust ${caFile}.`]),
        )),
    ...row('Docs', style('cyan', `${url}/docs`)),
    ...row('Verdict', style('cyan', `${controlUrl ?? url}/_sandbox/verdict`)),
    ...(controlUrl === undefined ? [] : row('Control', style('cyan', controlUrl))),
    ...row(
      'Client',
      `Any id and secret, such as ${exampleMerchant} and secret.`,
      'Each client id is its own merchant, with its own cards and clock.',
    ),
    ...(open ? row('Token', `Bearer sandbox.${exampleMerchant} works without a token call.`) : []),
    ...row('Cards', cardLines[realCards]),
    ...row('Profile', profile),
    ...row('Fixtures', fixtures),
    ...(scenario === undefined
      ? []
      : row('Scenario', scenario, ...(watched ? ['Its rules are reloaded on every save.'] : []))),
    ...row('Seed', seed, ...(seedGiven ? [] : [`To repeat this run: --seed=${seed}`])),
    ...(baseUrl === undefined ? [] : row('Links', `start with ${baseUrl}`)),
    ...(trustProxy === true && baseUrl === undefined
      ? row('Links', 'follow the headers of the proxy (--trust-proxy).')
      : []),
    ...(open ? [] : formatExample('Get a token', tokenCall(url, exampleMerchant))),
    ...examplesFor(fixtures).flatMap((example) =>
      formatExample(example.title, asCurl(example, url, auth)),
    ),
    '',
    '',
  ].join('\n');
}
