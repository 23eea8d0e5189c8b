/** The parts of the official Node SDK that its tests call; it comes without types of its own. */
declare module 'paypal-rest-sdk' {
  namespace sdk {
    /** Given per call, or once for all to `configure`. */
    interface Config {
      readonly client_id: string;
      readonly client_secret: string;
      readonly mode?: 'sandbox' | 'live';
      readonly schema?: 'http' | 'https';
      readonly host?: string;
      readonly port?: number;
    }

    /** What a callback gets when the answer was not a 2xx, or did not come. */
    interface CallError extends Error {
      readonly httpStatusCode?: number;
      /** The parsed body. */
      readonly response?: unknown;
    }

    type Callback = (error: CallError | null, response: unknown) => void;
    type Create = (body: object, config: Config, done: Callback) => void;
    type Get = (id: string, config: Config, done: Callback) => void;
    type Post = (id: string, body: object, config: Config, done: Callback) => void;
    type List = (query: object, config: Config, done: Callback) => void;

    interface Sdk {
      readonly version: string;
      configure(options: Config): void;
      generateToken(config: Config, done: (error: CallError | null, token: unknown) => void): void;
      readonly creditCard: {
        create: Create & ((body: object, done: Callback) => void);
        get: Get;
        update: Post;
        del: Get;
        list: List;
      };
      readonly payment: { create: Create; get: Get; update: Post; list: List };
      readonly sale: { get: Get; refund: Post };
      readonly refund: { get: Get };
      readonly authorization: { get: Get; capture: Post; void: Get; reauthorize: Post };
      readonly capture: { get: Get; refund: Post };
    }
  }

  const sdk: sdk.Sdk;
  export = sdk;
}

declare module 'paypal-rest-sdk/lib/utils.js' {
  const utils: {
    /** The host for a mode. Where it gives none, the SDK takes `host` of its configuration. */
    getDefaultApiEndpoint: (mode?: string) => string | undefined;
  };
  export = utils;
}
