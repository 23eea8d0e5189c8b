/**
 * The health check of the container image: asks the sandbox of this container whether it is ready. It is a program of its
 * own, because it runs every few seconds. Exit code 1 means that the sandbox is not ready.
 */
import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { healthPath } from '../contract/constants.ts';
import { urlOf } from '../transport-port/listener-address.ts';
import { variableFor } from './settings/environment.ts';
import { defaultPort, flags, flagWord, type FlagName } from './settings/flags.ts';

const timeoutMs = 2_000;

/** The words that the main process of the container was started with. */
function mainProcessWords(): readonly string[] {
  try {
    return readFileSync('/proc/1/cmdline', 'utf8').split('\0');
  } catch {
    return [];
  }
}

/** The value of a setting: from the command line of the main process, or from the environment. */
function settingOf(name: FlagName, words: readonly string[]): string | undefined {
  const flag = flags.find((one) => one.name === name);
  const variable = flag && variableFor(process.env, flag);
  const word = flagWord(name);
  const given = words.findLast((one) => one === word || one.startsWith(`${word}=`));
  if (given === undefined) return variable && process.env[variable];
  return given === word ? words[words.lastIndexOf(given) + 1] : given.slice(word.length + 1);
}

function addressOf(words: readonly string[]): string {
  const port = settingOf('port', words) ?? String(defaultPort);
  const host = settingOf('host', words) ?? '127.0.0.1';
  const controlPort = settingOf('controlPort', words);
  const controlHost = settingOf('controlHost', words) ?? host;
  const at =
    controlPort === undefined
      ? { host, port: Number(port) }
      : { host: controlHost, port: Number(controlPort) };
  return urlOf(at, at.host === '::' ? '::1' : '127.0.0.1');
}

function fail(why: string): void {
  process.stderr.write(`card-vault-sandbox: ${why}\n`);
  process.exit(1);
}

const address = addressOf(mainProcessWords());
const request = get(address + healthPath, { timeout: timeoutMs }, (response) => {
  // A sandbox that is stopping answers with 503.
  if (response.statusCode !== 200) fail(`${address} is not ready.`);
  response.resume();
});
request.on('timeout', () => request.destroy(new Error(`no answer within ${timeoutMs} ms`)));
request.on('error', ({ message }) => {
  fail(`Nothing answers at ${address} (${message}).`);
});
