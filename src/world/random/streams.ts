/** The streams that one merchant's ids and tokens are drawn from, as one thing that can be written down. */
import { RandomStream, initialStreamState, type StreamState } from './dice.ts';

/** Each kind of id has a stream of its own, so that storing a card shifts no payment's id. */
type StreamName = 'card' | 'payment' | 'transaction' | 'debug' | 'nonce';

export type RandomStreams = Readonly<Record<StreamName, RandomStream>>;
export type StreamStates = Readonly<Record<StreamName, StreamState>>;

/** Where a merchant's streams begin. */
export function initialStreamStates(seed: string, merchant: string): StreamStates {
  return each((name) => initialStreamState(seed, merchant, name));
}

export function createStreams(states: StreamStates): RandomStreams {
  return each((name) => new RandomStream(states[name]));
}

/** Where streams stand now. */
export function streamStates(streams: RandomStreams): StreamStates {
  return each((name) => streams[name].state);
}

function each<T>(make: (name: StreamName) => T): Readonly<Record<StreamName, T>> {
  return {
    card: make('card'),
    payment: make('payment'),
    transaction: make('transaction'),
    debug: make('debug'),
    nonce: make('nonce'),
  };
}
