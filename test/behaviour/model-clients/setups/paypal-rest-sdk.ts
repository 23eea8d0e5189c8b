/** The official SDK for Node with its defaults. */
import sdk from 'paypal-rest-sdk';
import utils from 'paypal-rest-sdk/lib/utils.js';
import { letEventLoopRun, orderBody, type Checkout } from './checkout.ts';
import type { SetUp } from './set-up.ts';

// The SDK ignores `host` unless `mode` has no host of its own.
utils.getDefaultApiEndpoint = () => undefined;

/** Returns a new object for each call, because the SDK writes into it. */
function configFor(till: Checkout): sdk.Config {
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
      // It keeps the token and uses it for the payment.
      await promised((done) => {
        sdk.generateToken(configFor(till), done);
      });
      await letEventLoopRun();
      return promised((done) => {
        sdk.payment.create(orderBody(till), configFor(till), done);
      });
    },
  },
];
