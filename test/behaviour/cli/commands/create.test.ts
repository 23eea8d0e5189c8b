import { expect, it } from 'vitest';
import { listenWithSettings } from '../../../../src/cli/commands/create.ts';
import { readSettings } from '../../../../src/cli/settings/settings.ts';
import { createSandbox } from '../../../../src/index.ts';
import type { ListenOptions } from '../../../../src/transports/listen-options.ts';

/** The address that a command with these variables asks the sandbox to listen on. No port is opened. */
async function requestedAddress(env: Record<string, string>): Promise<ListenOptions | undefined> {
  let requested: ListenOptions | undefined;
  const sandbox = createSandbox({ fixtures: 'empty' });
  const recording = {
    ...sandbox,
    listen: (options?: ListenOptions) => {
      requested = options;
      return Promise.reject(new Error('No port is opened.'));
    },
  };
  await listenWithSettings(recording, readSettings({}, env)).catch(() => undefined);
  return requested;
}

it('listens on port 3000 by default', async () => {
  expect(await requestedAddress({})).toMatchObject({ port: 3000 });
});

it('listens on port 3000 if its variable is a link to a service', async () => {
  expect(await requestedAddress({ CARD_VAULT_PORT: 'tcp://10.0.0.1:80' })).toMatchObject({
    port: 3000,
  });
});

it('listens on the port of its variable', async () => {
  expect(await requestedAddress({ CARD_VAULT_PORT: '9000' })).toMatchObject({ port: 9000 });
});
