/**
 * What the work costs on nothing but `node:http`: parses JSON, validates with the same schemas, keeps records in Maps, answers JSON of the same size. It has no rules, journal, ledger, clock, or any
 * other refusal than "400".
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { PaymentIn } from '../../../src/contract/service/payment-input.ts';
import { RefundIn } from '../../../src/contract/service/sales.ts';
import { CardIn } from '../../../src/contract/service/vault.ts';
import { FloorBooks } from './floor-books.ts';

const books = new FloorBooks();
const cards = /^\/v1\/vault\/credit-cards(?:\/([\w-]+))?(?:\?|$)/;
const refunds = /^\/v1\/payments\/sale\/(\w+)\/refund$/;

const server = createServer((incoming, outgoing) => {
  const { method, url = '/', headers } = incoming;
  if (url === '/_sandbox/health') return answer(outgoing, 200, {});
  if (headers.authorization?.startsWith('Bearer ') !== true) return answer(outgoing, 401, {});
  const base = `http://${headers.host}`;
  const card = cards.exec(url);
  if (method === 'GET') {
    const found = card?.[1] === undefined ? books.page(base) : books.card(card[1], base);
    return found === undefined ? answer(outgoing, 404, {}) : answer(outgoing, 200, found);
  }
  const store = (make: (body: unknown) => object | undefined): void => {
    readBody(incoming, (text) => {
      const made = make(JSON.parse(text));
      if (made === undefined) answer(outgoing, 400, {});
      else answer(outgoing, 201, made);
    });
  };
  if (card !== null) {
    return store((body) => {
      const read = CardIn.safeParse(body);
      return read.success ? books.storeCard(read.data, base) : undefined;
    });
  }
  const sale = refunds.exec(url)?.[1];
  if (sale !== undefined) {
    return store((body) => {
      const read = RefundIn.safeParse(body);
      return read.success ? books.refund(sale, read.data, base) : undefined;
    });
  }
  return store((body) => {
    const read = PaymentIn.safeParse(body);
    return read.success ? books.pay(read.data, base) : undefined;
  });
});

function readBody(incoming: IncomingMessage, done: (text: string) => void): void {
  const chunks: Buffer[] = [];
  incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
  incoming.on('end', () => {
    done(Buffer.concat(chunks).toString());
  });
}

function answer(outgoing: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  outgoing.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
  });
  outgoing.end(text);
}

server.keepAliveTimeout = 65_000;
server.listen(Number(process.argv[2]), '127.0.0.1');
