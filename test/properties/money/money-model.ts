/** A minimal model of what a sandbox must do with money. Random walks are compared with it. */
import { CardOut } from '../../../src/contract/service/vault.ts';
import type { Currency, Step } from '../support/client-steps.ts';
import { pick, shareMinor, type Charge, type Walker } from '../support/client-walk.ts';

const dayMs = 86_400_000;

interface Taken extends Charge {
  readonly atMs: number;
  refundedMinor: number;
}

interface Held extends Charge {
  readonly untilMs: number;
  capturedMinor: number;
  closed: boolean;
  voided: boolean;
}

export class MoneyModel {
  readonly #walker: Walker;
  readonly #cards = new Map<string, { customer: string | undefined; validUntilMs: number }>();
  readonly #taken = new Map<string, Taken>();
  readonly #held = new Map<string, Held>();
  readonly #balances = new Map<Currency, number>();
  #nowMs: number;

  constructor(walker: Walker) {
    this.#walker = walker;
    this.#nowMs = Date.parse(walker.shop.merchant.clock.read().now);
  }

  wait(step: Step): void {
    if (step.ask === 'wait') this.#nowMs += step.hours * 3_600_000;
  }

  /** Expected error names for a step; empty if it must succeed. */
  refusals(step: Step): string[] {
    switch (step.ask) {
      case 'remove':
        return this.#card(step.card) === undefined ? ['INVALID_RESOURCE_ID'] : [];
      case 'pay':
        return this.#payRefusals(step);
      case 'capture':
        return this.#captureRefusals(step);
      case 'void': {
        const held = this.#heldAt(step.held);
        if (held === undefined) return ['INVALID_RESOURCE_ID'];
        const open = ['authorized', 'partially_captured'].includes(this.heldState(held.id));
        return open ? [] : ['AUTHORIZATION_CANNOT_BE_VOIDED'];
      }
      case 'refund':
        return this.#refundRefusals(step);
      default:
        return [];
    }
  }

  /** Applies a successful step with this response. */
  apply(step: Step, answer: unknown): void {
    switch (step.ask) {
      case 'store': {
        const card = CardOut.parse(answer);
        const validUntilMs = Date.parse(card.valid_until);
        this.#cards.set(card.id, { customer: step.customer, validUntilMs });
        return;
      }
      case 'remove':
        this.#cards.delete(pick(this.#walker.cards, step.card)?.id ?? '');
        return;
      case 'pay':
      case 'payRaw':
        if (step.ask === 'pay' && step.intent === 'authorize') this.#hold(this.#walker.held.at(-1));
        else this.#take(this.#walker.taken.at(-1));
        return;
      case 'capture': {
        const held = this.#heldAt(step.held);
        if (held === undefined) return;
        held.capturedMinor += shareMinor(held, step.percent);
        held.closed = step.isFinal || held.capturedMinor >= held.minor;
        this.#take(this.#walker.taken.at(-1));
        return;
      }
      case 'void': {
        const held = this.#heldAt(step.held);
        if (held !== undefined) held.voided = true;
        return;
      }
      case 'refund': {
        const taken = this.#takenAt(step.taken);
        if (taken === undefined) return;
        const minor = step.percent === undefined ? taken.minor : shareMinor(taken, step.percent);
        taken.refundedMinor += minor;
        this.#move(taken.currency, -minor);
        return;
      }
      default:
        return;
    }
  }

  /** The merchant's balance by currency. */
  balances(): Record<string, number> {
    return Object.fromEntries(this.#balances);
  }

  cardIds(): string[] {
    return [...this.#cards.keys()];
  }

  currencyOf(id: string): Currency {
    return this.#taken.get(id)?.currency ?? 'USD';
  }

  takenState(id: string): string {
    const { minor, refundedMinor } = this.#taken.get(id) ?? { minor: 0, refundedMinor: 0 };
    if (refundedMinor === 0) return 'completed';
    return refundedMinor < minor ? 'partially_refunded' : 'refunded';
  }

  heldState(id: string): string {
    const held = this.#held.get(id);
    if (held === undefined) return 'unknown';
    if (held.voided) return 'voided';
    if (held.closed) return 'captured';
    if (this.#nowMs >= held.untilMs) return 'expired';
    return held.capturedMinor > 0 ? 'partially_captured' : 'authorized';
  }

  #payRefusals(step: Extract<Step, { ask: 'pay' }>): string[] {
    const card = this.#card(step.card);
    if (card === undefined) return ['INVALID_RESOURCE_ID'];
    const refusals: string[] = [];
    if (this.#nowMs >= card.validUntilMs) refusals.push('EXPIRED_CREDIT_CARD_TOKEN');
    if (card.customer !== undefined && step.customer === 'none') {
      refusals.push('PAYER_ID_MISSING_FOR_CARD_TOKEN');
    }
    if (card.customer !== undefined && step.customer === 'other') {
      refusals.push('CARD_TOKEN_PAYER_MISMATCH');
    }
    return refusals;
  }

  #captureRefusals(step: Extract<Step, { ask: 'capture' }>): string[] {
    const held = this.#heldAt(step.held);
    if (held === undefined) return ['INVALID_RESOURCE_ID', 'VALIDATION_ERROR'];
    const minor = shareMinor(held, step.percent);
    const shareOnTopMinor = Math.floor((held.minor * 15) / 100);
    const mostMinor =
      held.minor + (held.currency === 'USD' ? Math.min(shareOnTopMinor, 7500) : shareOnTopMinor);
    const refusals: string[] = [];
    if ((step.currency ?? held.currency) !== held.currency) refusals.push('CURRENCY_MISMATCH');
    if (minor === 0) refusals.push('VALIDATION_ERROR');
    if (held.capturedMinor + minor > mostMinor) refusals.push('CAPTURE_AMOUNT_LIMIT_EXCEEDED');
    if (held.voided) refusals.push('AUTHORIZATION_VOIDED');
    else if (held.closed) refusals.push('AUTHORIZATION_ALREADY_COMPLETED');
    else if (this.#nowMs >= held.untilMs) refusals.push('AUTHORIZATION_EXPIRED');
    return refusals;
  }

  #refundRefusals(step: Extract<Step, { ask: 'refund' }>): string[] {
    const taken = this.#takenAt(step.taken);
    if (taken === undefined) return ['INVALID_RESOURCE_ID', 'VALIDATION_ERROR'];
    const leftMinor = taken.minor - taken.refundedMinor;
    const isFull = step.percent === undefined;
    const minor = isFull ? leftMinor : shareMinor(taken, step.percent);
    const refusals: string[] = [];
    if (!isFull && (step.currency ?? taken.currency) !== taken.currency) {
      refusals.push('CURRENCY_MISMATCH');
    }
    if (!isFull && minor === 0) refusals.push('VALIDATION_ERROR');
    if (leftMinor === 0) refusals.push('TRANSACTION_ALREADY_REFUNDED');
    else if (minor > leftMinor) refusals.push('REFUND_EXCEEDED_TRANSACTION_AMOUNT');
    if (isFull && taken.refundedMinor > 0) {
      refusals.push('FULL_REFUND_NOT_ALLOWED_AFTER_PARTIAL_REFUND');
    }
    if (this.#nowMs - taken.atMs > 180 * dayMs) refusals.push('REFUND_TIME_LIMIT_EXCEEDED');
    return refusals;
  }

  #card(at: number) {
    return this.#cards.get(pick(this.#walker.cards, at)?.id ?? '');
  }

  #heldAt(at: number): Held | undefined {
    return this.#held.get(pick(this.#walker.held, at)?.id ?? '');
  }

  /** The walk may already know the response being applied, so ids come from the model. */
  #takenAt(at: number): Taken | undefined {
    return this.#taken.get(pick([...this.#taken.keys()], at) ?? '');
  }

  #hold(charge: Charge | undefined): void {
    if (charge === undefined) return;
    const untilMs = this.#nowMs + 29 * dayMs;
    this.#held.set(charge.id, {
      ...charge,
      untilMs,
      capturedMinor: 0,
      closed: false,
      voided: false,
    });
  }

  #take(charge: Charge | undefined): void {
    if (charge === undefined) return;
    this.#taken.set(charge.id, { ...charge, atMs: this.#nowMs, refundedMinor: 0 });
    this.#move(charge.currency, charge.minor);
  }

  #move(currency: Currency, minor: number): void {
    this.#balances.set(currency, (this.#balances.get(currency) ?? 0) + minor);
  }
}
