/** Plays fixtures through the domain, in the order things happened, into what every world starts from. */
import type { Books } from '../domain/ports.ts';
import type { Refusal } from '../domain/refusals.ts';
import type { LoadedFixtures } from '../fixtures/load.ts';
import { FixtureMistake } from '../fixtures/mistake.ts';
import { fixtureEvents, type FixtureEvent, type Pins } from './fixture-events.ts';
import { isClientId } from './tokens.ts';
import { World, type WorldBase, type WorldSettings } from './world.ts';

/** The merchant whose dice ids without a pin come from. No client id may be empty, so no merchant shares them. */
const nobody = '';

/**
 * The base of every world: the fixtures, played. Throws a `FixtureMistake` that names each record which the domain
 * refuses; what follows on a refused record is left out, so that every line names a cause.
 */
export function buildBase(fixtures: LoadedFixtures, settings: WorldSettings): WorldBase {
  const startMs = settings.clock.atMs ?? settings.realNowMs();
  const world = new World(nobody, settings);
  const events = fixtureEvents(fixtures, startMs);
  const pinned = new Set(events.flatMap(({ pins }) => Object.values(pins)));
  const mistakes = clientMistakes(fixtures);
  // The sort is stable: at one instant, things happen in the order they are written.
  for (const event of events.toSorted((a, b) => a.atMs - b.atMs)) {
    const fault = timeFault(event, startMs);
    if (fault !== undefined) {
      mistakes.push(`${event.part.at([...event.path, event.timeKey])}: ${fault}`);
      continue;
    }
    if (event.after !== undefined && event.after.event.subject === undefined) continue;
    const played = event.play(booksAt(world, event.atMs, event.pins, pinned));
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

/** The world's books at an instant, with the ids that the next records are to have. */
function booksAt(
  world: World,
  atMs: number,
  pins: Pins,
  pinned: ReadonlySet<string | undefined>,
): Books {
  return {
    cards: world.cards,
    payments: world.payments,
    sales: world.sales,
    authorizations: world.authorizations,
    captures: world.captures,
    refunds: world.refunds,
    rules: world.rules,
    ids: {
      card: () => pins.card ?? unpinned(() => world.ids.card(), pinned),
      payment: () => pins.payment ?? unpinned(() => world.ids.payment(), pinned),
      transaction: () => pins.transaction ?? unpinned(() => world.ids.transaction(), pinned),
    },
    nowMs: () => atMs,
    paymentWithInvoice: (invoiceNumber) => world.paymentWithInvoice(invoiceNumber),
  };
}

/** The world knows the ids it holds, not those pinned for records still to come. */
function unpinned(draw: () => string, pinned: ReadonlySet<string | undefined>): string {
  for (;;) {
    const id = draw();
    if (!pinned.has(id)) return id;
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
