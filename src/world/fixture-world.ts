/** Plays fixtures through the domain, in the order things happened, into what every world starts from. */
import type { Books, Change } from '../domain/ports.ts';
import type { Refusal, Result } from '../domain/refusals.ts';
import type { LoadedFixtures } from '../fixtures/load.ts';
import { FixtureMistake } from '../fixtures/mistake.ts';
import { fixtureEvents, type FixtureEvent } from './fixture-events.ts';
import type { WorldBase } from './holdings.ts';
import { isClientId } from './merchant-id.ts';
import { World, type WorldSettings } from './world.ts';

/** The merchant whose dice ids without a pin come from. No client id may be empty, so no merchant shares them. */
export const nobody = '';

/**
 * The base of every world: the fixtures, played. Throws a `FixtureMistake` that names each record which the domain
 * refuses; what follows on a refused record is left out, so that every line names a cause.
 */
export function buildBase(fixtures: LoadedFixtures, settings: WorldSettings): WorldBase {
  const startMs = settings.clock.atMs ?? settings.realNowMs();
  const world = new World(nobody, settings);
  const stage = new Stage(world, fixtureEvents(fixtures, startMs));
  const mistakes = clientMistakes(fixtures);
  for (const event of stage.events) {
    const fault = timeFault(event, startMs);
    if (fault !== undefined) {
      mistakes.push(`${event.part.at([...event.path, event.timeKey])}: ${fault}`);
      continue;
    }
    if (event.after !== undefined && event.after.event.subject === undefined) continue;
    const played = stage.play(event);
    const refusal = played.ok ? world.roomFor(played.value) : played.refusal;
    if (refusal !== undefined) mistakes.push(refusalLine(event, refusal));
    else if (played.ok) {
      world.commit(played.value);
      event.subject = played.value.subject;
    }
  }
  if (mistakes.length > 0) throw new FixtureMistake(mistakes);
  return world.asBase();
}

/** The world's books as they stand while an event is played: at its time, with the ids pinned for it. */
class Stage {
  /** Oldest first. The sort is stable: at one instant, things happen in the order they are written. */
  readonly events: readonly FixtureEvent[];
  readonly #books: Books;
  readonly #pinned = new Set<string>();
  #event: FixtureEvent | undefined;

  constructor(world: World, events: readonly FixtureEvent[]) {
    this.events = events.toSorted((a, b) => a.atMs - b.atMs);
    for (const { pins } of events) {
      for (const id of [pins.card, pins.payment, pins.transaction]) {
        if (id !== undefined) this.#pinned.add(id);
      }
    }
    this.#books = {
      cards: world.cards,
      payments: world.payments,
      sales: world.sales,
      authorizations: world.authorizations,
      captures: world.captures,
      refunds: world.refunds,
      rules: world.rules,
      ids: {
        card: () => this.#event?.pins.card ?? this.#unpinned(() => world.ids.card()),
        payment: () => this.#event?.pins.payment ?? this.#unpinned(() => world.ids.payment()),
        transaction: () =>
          this.#event?.pins.transaction ?? this.#unpinned(() => world.ids.transaction()),
      },
      nowMs: () => this.#event?.atMs ?? world.nowMs(),
      askedBy: (pan) => world.askedBy(pan),
      admits: (pan) => world.admits(pan),
      paymentWithInvoice: (invoiceNumber) => world.paymentWithInvoice(invoiceNumber),
    };
  }

  play(event: FixtureEvent): Result<Change> {
    this.#event = event;
    return event.play(this.#books);
  }

  /** The world knows the ids it holds, not those pinned for records still to come. */
  #unpinned(draw: () => string): string {
    for (;;) {
      const id = draw();
      if (!this.#pinned.has(id)) return id;
    }
  }
}

function timeFault({ atMs, after, timeKey }: FixtureEvent, startMs: number): string | undefined {
  if (atMs > startMs) {
    return `${timeOf(atMs)} is after the sandbox starts, at ${timeOf(startMs)}. Fixtures are the past: write a duration such as -P10D.`;
  }
  // What it follows on may be misdated itself, and is then named there.
  if (after === undefined || atMs >= after.event.atMs || after.event.atMs > startMs) {
    return undefined;
  }
  return `${timeOf(atMs)} is before ${after.what}, at ${timeOf(after.event.atMs)}. Move "${timeKey}" here to later, or "${after.event.timeKey}" to earlier at ${after.event.part.at(after.event.path)}.`;
}

function timeOf(atMs: number): string {
  return new Date(atMs).toISOString();
}

/** Field names of a payment are those of the wire, which has its amount one level deeper. */
function refusalLine({ part, path, atMs }: FixtureEvent, refusal: Refusal): string {
  const reason = refusal.reason.replaceAll('transactions[0].', '');
  return `${part.at(path)}: the sandbox refuses this at ${timeOf(atMs)} (${refusal.kind}). ${reason}`;
}

/** A client that no token call can name would be pinned in vain. */
function clientMistakes({ parts }: LoadedFixtures): string[] {
  return parts.flatMap((part) =>
    (part.document.clients ?? []).flatMap(({ client_id: id }, at) =>
      isClientId(id)
        ? []
        : [
            `${part.at(['clients', at, 'client_id'])}: no client can have this id. 1 to 128 letters, digits or any of . _ ~ @ + - are allowed.`,
          ],
    ),
  );
}
