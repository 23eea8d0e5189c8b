/** From valid wire bodies to what the domain reads. Names change here; nothing is judged. */
import type { z } from '@hono/zod-openapi';
import type { BillingAddressIn, RawCardAddressIn, ShippingAddressIn } from '../contract/common.ts';
import type { PaymentIn } from '../contract/payment-in.ts';
import type { CardIn, RevisedCard } from '../contract/vault.ts';
import type { AmountDraft, ItemDraft } from '../domain/amount.ts';
import type { CardDraft, CardOwner, Revision } from '../domain/card.ts';
import type { InstrumentDraft, PaymentDraft } from '../domain/payment.ts';
import type { Address, ShippingAddress } from '../domain/records.ts';

type CardBody = z.output<typeof CardIn>;
type PaymentBody = z.output<typeof PaymentIn>;
type FundingInstrument = PaymentBody['payer']['funding_instruments'][number];
type RawCard = NonNullable<FundingInstrument['credit_card']>;
type TransactionBody = PaymentBody['transactions'][number];

export function addressDraft(
  of: z.output<typeof BillingAddressIn> | z.output<typeof RawCardAddressIn>,
): Address {
  return {
    line1: of.line1,
    line2: of.line2,
    city: of.city,
    state: of.state,
    postalCode: of.postal_code,
    countryCode: of.country_code,
    phone: of.phone,
  };
}

export function shippingAddressDraft(of: z.output<typeof ShippingAddressIn>): ShippingAddress {
  return { ...addressDraft(of), recipientName: of.recipient_name };
}

export function cardDraft(of: CardBody | RawCard): CardDraft {
  return {
    number: of.number,
    brand: of.type,
    expireMonth: of.expire_month,
    expireYear: of.expire_year,
    cvv: of.cvv2,
    firstName: of.first_name,
    lastName: of.last_name,
    billingAddress: of.billing_address && addressDraft(of.billing_address),
  };
}

export function cardOwner(
  of: Pick<CardBody, 'external_customer_id' | 'payer_id' | 'merchant_id' | 'external_card_id'>,
): CardOwner {
  return {
    externalCustomerId: of.external_customer_id,
    payerId: of.payer_id,
    merchantReference: of.merchant_id,
    externalCardId: of.external_card_id,
  };
}

export function revision(of: z.output<typeof RevisedCard>): Revision {
  return {
    expireMonth: of.expire_month,
    expireYear: of.expire_year,
    firstName: of.first_name,
    lastName: of.last_name,
    billingAddress: of.billing_address && addressDraft(of.billing_address),
  };
}

/** The contract lets exactly one funding instrument and one transaction through. */
export function paymentDraft(of: PaymentBody): PaymentDraft {
  const [instrument] = of.payer.funding_instruments;
  const [transaction] = of.transactions;
  if (instrument === undefined || transaction === undefined) {
    throw new Error('A payment passed the contract without instrument or transaction.');
  }
  return {
    intent: of.intent,
    instrument: instrumentDraft(instrument),
    amount: amountDraft(transaction.amount),
    items: transaction.item_list?.items?.map(itemDraft),
    notes: {
      referenceId: transaction.reference_id,
      description: transaction.description,
      noteToPayee: transaction.note_to_payee,
      custom: transaction.custom,
      invoiceNumber: transaction.invoice_number,
      shippingAddress:
        transaction.item_list?.shipping_address &&
        shippingAddressDraft(transaction.item_list.shipping_address),
    },
  };
}

function instrumentDraft(of: FundingInstrument): InstrumentDraft {
  const { credit_card_token: token } = of;
  if (token !== undefined) {
    return {
      kind: 'token',
      cardId: token.credit_card_id,
      externalCustomerId: token.external_customer_id,
      payerId: token.payer_id,
    };
  }
  const card = of.credit_card ?? of.payment_card;
  if (card === undefined) throw new Error('A funding instrument passed the contract empty.');
  return { kind: 'card', card: cardDraft(card) };
}

function amountDraft(of: TransactionBody['amount']): AmountDraft {
  return { total: of.total, currency: of.currency, details: of.details };
}

function itemDraft(
  of: NonNullable<NonNullable<TransactionBody['item_list']>['items']>[number],
): ItemDraft {
  return {
    name: of.name,
    sku: of.sku,
    description: of.description,
    quantity: of.quantity,
    price: of.price,
    currency: of.currency,
    tax: of.tax,
  };
}
