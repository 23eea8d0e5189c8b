/** Sends requests to the service, with one token for all. */
import { z } from 'zod';
import { askOnce, type Answer, type Ask } from './answer.ts';
import { attemptMs, waitAfter, type Surroundings } from './surroundings.ts';

const Token = z.looseObject({ access_token: z.string(), expires_in: z.coerce.number() });

/** A token is renewed this long before it expires, so that none expires on its way. */
const marginMs = 60_000;

/** If a new token is refused too, another one would not help. */
const refreshPauseMs = 60_000;

const readTries = 3;

export type Call = Omit<Ask, 'headers' | 'withinMs' | 'body'> & {
  readonly key?: string;
  readonly body?: object;
  readonly withinMs?: number;
};

export class Service {
  readonly #surroundings: Surroundings;
  #token: { readonly value: string; readonly endsAtMs: number } | undefined;
  #coming: Promise<Answer | undefined> | undefined;
  #refreshedAtMs = -Infinity;

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
  }

  /** Sends a request with a token. It renews a refused token once and repeats the request. */
  async ask(call: Call): Promise<Answer> {
    const { clock } = this.#surroundings;
    const answer = await this.#askWithToken(call);
    if (answer.kind !== 'refused' || answer.status !== 401) return answer;
    if (clock.nowMs() - this.#refreshedAtMs < refreshPauseMs) return answer;
    this.#refreshedAtMs = clock.nowMs();
    this.#token = undefined;
    return this.#askWithToken(call);
  }

  /** Reads a record; `undefined` if that fails. */
  async read(to: string): Promise<unknown> {
    const { clock, random } = this.#surroundings;
    for (let tries = 0; tries < readTries; tries++) {
      const answer = await this.ask({ method: 'GET', to });
      if (answer.kind === 'done') return answer.body;
      // A new record may not be visible yet.
      if (answer.kind === 'refused' && answer.status !== 404) return undefined;
      const askedMs = answer.kind === 'refused' ? 0 : answer.waitMs;
      if (tries + 1 < readTries) await clock.sleep(waitAfter(tries, askedMs, random));
    }
    return undefined;
  }

  async #askWithToken({ key, body, withinMs = attemptMs, ...ask }: Call): Promise<Answer> {
    const trouble = await this.#haveToken();
    if (this.#token === undefined) return trouble ?? { kind: 'later', waitMs: 0 };
    return askOnce(this.#surroundings, {
      ...ask,
      withinMs,
      headers: {
        Authorization: `Bearer ${this.#token.value}`,
        'Content-Type': 'application/json',
        ...(key === undefined ? {} : { 'PayPal-Request-Id': key }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  /** Gets a token with one request for all waiting calls. It returns why there is none. */
  async #haveToken(): Promise<Answer | undefined> {
    const nowMs = this.#surroundings.clock.nowMs();
    if (this.#token !== undefined && nowMs < this.#token.endsAtMs - marginMs) return undefined;
    this.#coming ??= this.#renew().finally(() => {
      this.#coming = undefined;
    });
    return this.#coming;
  }

  async #renew(): Promise<Answer | undefined> {
    const { clientId, secret, clock } = this.#surroundings;
    const answer = await askOnce(this.#surroundings, {
      method: 'POST',
      to: '/v1/oauth2/token',
      withinMs: attemptMs,
      headers: {
        Authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`,
        'Content-Type': 'application/x-www-form-urlencoded',
      },
      body: 'grant_type=client_credentials',
    });
    const token = Token.safeParse(answer.kind === 'done' ? answer.body : undefined);
    if (token.success) {
      const endsAtMs = clock.nowMs() + token.data.expires_in * 1000;
      this.#token = { value: token.data.access_token, endsAtMs };
      return undefined;
    }
    // Without a new token the old one works until it expires.
    if (this.#token !== undefined && clock.nowMs() >= this.#token.endsAtMs) this.#token = undefined;
    // Only a token was requested, so nothing was done.
    return answer.kind === 'refused'
      ? answer
      : { kind: 'later', waitMs: answer.kind === 'done' ? 0 : answer.waitMs };
  }
}
