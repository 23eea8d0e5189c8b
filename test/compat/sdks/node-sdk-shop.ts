/** A merchant's program with the official Node SDK. It turns callbacks into promises and checks answers with the contract. */
import sdk from 'paypal-rest-sdk';
import utils from 'paypal-rest-sdk/lib/utils.js';
import { expect } from 'vitest';
import { z } from 'zod';
import { AuthorizationOut } from '../../../src/contract/service/authorizations.ts';
import { CaptureOut } from '../../../src/contract/service/captures.ts';
import { ErrorBody } from '../../../src/contract/service/common.ts';
import { PaymentListOut, PaymentOut } from '../../../src/contract/service/payments.ts';
import { RefundOut, SaleOut } from '../../../src/contract/service/sales.ts';
import { CardListOut, CardOut } from '../../../src/contract/service/vault.ts';
import type { Listening } from '../../../src/index.ts';

/**
 * The SDK takes its host from `mode` alone, whatever `host` says (contract.md §14.20). With no host for the mode it
 * falls back to its public configuration, and all else of it stays as shipped.
 */
utils.getDefaultApiEndpoint = () => undefined;

type Start = (config: sdk.Config, done: sdk.Callback) => void;

/** The SDK adds the status to every parsed body, errors included. */
const Answered = z.looseObject({ httpStatusCode: z.int() });

function split(response: unknown): { status: number; body: object } {
  const { httpStatusCode, ...body } = Answered.parse(response);
  return { status: httpStatusCode, body };
}

export class NodeSdkShop {
  readonly #at: Pick<Listening, 'host' | 'port'>;
  readonly #clientId: string;

  constructor(at: Pick<Listening, 'host' | 'port'>, clientId: string) {
    this.#at = at;
    this.#clientId = clientId;
  }

  /** New for each call, because the SDK writes its defaults and headers into this object. */
  get config(): sdk.Config {
    return {
      client_id: this.#clientId,
      client_secret: 'any secret',
      mode: 'sandbox',
      schema: 'http',
      host: this.#at.host,
      port: this.#at.port,
    };
  }

  token(): Promise<unknown> {
    return new Promise((resolve, reject) => {
      sdk.generateToken(this.config, (error, token) => {
        if (error === null) resolve(token);
        else reject(error);
      });
    });
  }

  storeCard(body: object) {
    return this.#ask(201, CardOut, (config, done) => sdk.creditCard.create(body, config, done));
  }

  showCard(id: string) {
    return this.#ask(200, CardOut, (config, done) => sdk.creditCard.get(id, config, done));
  }

  patchCard(id: string, patch: object) {
    return this.#ask(200, CardOut, (config, done) =>
      sdk.creditCard.update(id, patch, config, done),
    );
  }

  listCards(query: object) {
    return this.#ask(200, CardListOut, (config, done) => sdk.creditCard.list(query, config, done));
  }

  deleteCard(id: string) {
    return this.#ask(204, z.strictObject({}), (config, done) =>
      sdk.creditCard.del(id, config, done),
    );
  }

  pay(body: object) {
    return this.#ask(201, PaymentOut, (config, done) => sdk.payment.create(body, config, done));
  }

  showPayment(id: string) {
    return this.#ask(200, PaymentOut, (config, done) => sdk.payment.get(id, config, done));
  }

  listPayments(query: object) {
    return this.#ask(200, PaymentListOut, (config, done) => sdk.payment.list(query, config, done));
  }

  showSale(id: string) {
    return this.#ask(200, SaleOut, (config, done) => sdk.sale.get(id, config, done));
  }

  refundSale(id: string, body: object) {
    return this.#ask(201, RefundOut, (config, done) => sdk.sale.refund(id, body, config, done));
  }

  showRefund(id: string) {
    return this.#ask(200, RefundOut, (config, done) => sdk.refund.get(id, config, done));
  }

  showAuthorization(id: string) {
    return this.#ask(200, AuthorizationOut, (config, done) =>
      sdk.authorization.get(id, config, done),
    );
  }

  capture(id: string, body: object) {
    return this.#ask(200, CaptureOut, (config, done) =>
      sdk.authorization.capture(id, body, config, done),
    );
  }

  voidAuthorization(id: string) {
    return this.#ask(200, AuthorizationOut, (config, done) =>
      sdk.authorization.void(id, config, done),
    );
  }

  showCapture(id: string) {
    return this.#ask(200, CaptureOut, (config, done) => sdk.capture.get(id, config, done));
  }

  refundCapture(id: string, body: object) {
    return this.#ask(201, RefundOut, (config, done) => sdk.capture.refund(id, body, config, done));
  }

  /** Makes a call that must fail, and returns what a program reads from the SDK's error. */
  refusal(start: Start): Promise<z.output<typeof ErrorBody> & { readonly status: number }> {
    return new Promise((resolve, reject) => {
      start(this.config, (error, response) => {
        if (error === null) {
          reject(new Error(`The call went well: ${JSON.stringify(response)}`));
          return;
        }
        const { status, body } = split(error.response);
        expect(error.httpStatusCode).toBe(status);
        expect(error.message).toBe(`Response Status : ${status}`);
        resolve({ ...ErrorBody.parse(body), status });
      });
    });
  }

  /** Makes a call that must succeed, and checks that its schema has every key of the answer. */
  async #ask<S extends z.ZodType>(status: number, schema: S, start: Start): Promise<z.output<S>> {
    const response = await new Promise<unknown>((resolve, reject) => {
      start(this.config, (error, answer) => {
        if (error === null) resolve(answer);
        else reject(new Error(`${error.message} ${JSON.stringify(error.response)}`));
      });
    });
    const answered = split(response);
    expect(answered.status).toBe(status);
    const body = schema.parse(answered.body);
    expect(body).toEqual(answered.body);
    return body;
  }
}
