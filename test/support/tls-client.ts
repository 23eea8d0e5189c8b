/** Requests over https, with a certificate of an authority that only this request trusts. */
import { request } from 'node:https';
import { text } from 'node:stream/consumers';

export interface TlsAnswer {
  readonly status: number | undefined;
  readonly body: string;
}

export interface TlsRequest {
  readonly ca?: string | undefined;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends a request on a connection of its own. */
export function askOverTls(
  url: string,
  { ca, method = 'GET', headers = {}, body }: TlsRequest,
): Promise<TlsAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { ca, method, headers, agent: false }, (response) => {
      text(response).then((received) => {
        resolve({ status: response.statusCode, body: received });
      }, reject);
    });
    sent.once('error', reject);
    sent.end(body);
  });
}
