/** The official SDK for Node, on its defaults. */
import sdk from 'paypal-rest-sdk';
import utils from 'paypal-rest-sdk/lib/utils.js';
import { breathe, orderBody, type Till } from './checkout.ts';
import type { SetUp } from './set-up.ts';

// The SDK takes its host from `mode` alone, whatever `host` says, unless there is none for the mode.
utils.getDefaultApiEndpoint = () => undefined;

/** New for each call, as the SDK writes into the object that it is given. */
function configFor(till: Till): sdk.Config {
  const { hostname, port } = new URL(till.url);
  return {
    client_id: till.clientId,
    client_secret: till.secret,
    mode: 'sandbox',
    schema: 'http',
    host: hostname,
    port: Number(port),
  };
}

function promised(call: (done: sdk.Callback) => void): Promise<unknown> {
  return new Promise((resolve, reject) => {
    call((error, answer) => {
      if (error === null) resolve(answer);
      else reject(error);
    });
  });
}

export const sdkSetUps: readonly SetUp[] = [
  {
    name: 'paypal-rest-sdk',
    buy: async (till) => {
      // It keeps the token, and takes it for the payment.
      await promised((done) => {
        sdk.generateToken(configFor(till), done);
      });
      await breathe();
      return promised((done) => {
        sdk.payment.create(orderBody(till), configFor(till), done);
      });
    },
  },
];
