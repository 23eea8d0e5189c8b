/** The random streams behind one merchant's ids and tokens, saved and restored together. */
import { RandomStream, initialStreamState, type StreamState } from './dice.ts';

/**
 * Each kind of id has its own stream, so that storing a card does not change the next payment id.
 */
type StreamName = 'card' | 'payment' | 'transaction' | 'debug' | 'nonce';

export type RandomStreams = Readonly<Record<StreamName, RandomStream>>;
export type StreamStates = Readonly<Record<StreamName, StreamState>>;

/** The initial states of a merchant's streams. */
export function initialStreamStates(seed: string, merchant: string): StreamStates {
  return each((name) => initialStreamState(seed, merchant, name));
}

export function createStreams(states: StreamStates): RandomStreams {
  return each((name) => new RandomStream(states[name]));
}

/** The current states of the streams. */
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
