/**
 * What was decided where no document speaks, as the comments in the sources say it. Made from them by
 * UPDATE_DECISIONS=1 npm run test:run -- test/behaviour/control/decisions.test.ts
 */
export const decisions: readonly { readonly where: string; readonly decision: string }[] = [
  {
    where: 'src/contract/service/fields.ts',
    decision:
      'a number has lost its leading zeros before it was sent. They are not put back: `12` could be `012` or a code that was mistyped, so it is refused as too short, which shows that such a client fails one card in ten.',
  },
  {
    where: 'src/contract/service/payment-input.ts',
    decision: 'the service also pays from wallets; this sandbox is about cards and says so.',
  },
  {
    where: 'src/contract/service/payment-input.ts',
    decision: 'orders are a wallet flow on the real service.',
  },
  {
    where: 'src/contract/service/vault.ts',
    decision:
      'where a `next` link goes on; made by this service, so that pages stay whole while cards come and go.',
  },
  { where: 'src/contract/service/vault.ts', decision: '20 is the recorded cap of payments.' },
  {
    where: 'src/domain/calendar.ts',
    decision:
      'clocks end with the year 9996: times are written with four digits for the year, and a card that is stored then is valid until 9999.',
  },
  {
    where: 'src/domain/card/brand.ts',
    decision:
      'the ranges themselves; these are the published ones of the card schemes. Maestro has its wide ranges less those of Discover, so that no number is of two brands.',
  },
  {
    where: 'src/domain/card/card.ts',
    decision:
      'no number is kept, so the last four digits of the new one are made up: one more than the old ones.',
  },
  {
    where: 'src/domain/card/card.ts',
    decision: 'for 15-digit Amex no recording exists; eleven `x` follow the same rule.',
  },
  {
    where: 'src/domain/payment/authorization.ts',
    decision: 'other currencies have no exchange rate here, so for them the 115 % stand alone.',
  },
  {
    where: 'src/domain/payment/payment.ts',
    decision:
      "an answer of `created` on a payment whose sale is completed (the seed's own pairing) lets the invoice number, `custom` and the shipping address be set, and nothing that would change what was charged.",
  },
  {
    where: 'src/domain/payment/related-resources.ts',
    decision:
      'what changes only in a record that came of it (a void, a settlement, a dispute) moves the time of that record alone.',
  },
  {
    where: 'src/domain/payment/settlement-events.ts',
    decision: 'a sale is disputed once: whoever has lost it, or won it, is not asked again.',
  },
  {
    where: 'src/domain/payment/settlement-events.ts',
    decision:
      'the bank takes the money of a sale back once. What a dispute has taken is with the cardholder already, so a reversal moves nothing then; it ends an open dispute, which is lost by that.',
  },
  {
    where: 'src/guard/live-credentials.ts',
    decision:
      "client ids and secrets of the real service look the same whether they are for its sandbox or for live, so those say nothing and are taken; what can be told is a real service's access token in their place, and a live key of another payment company.",
  },
  {
    where: 'src/http/handlers/card-patch.ts',
    decision:
      "the number, the type, what the service sets, and the ids that say whose card it is are read-only: another number is another card, another owner another customer's (contract.md §2.7).",
  },
  {
    where: 'src/http/handlers/vault.ts',
    decision:
      'the rel names of pages are unrecorded; `next` and `previous` are the usual ones (contract.md §2.6).',
  },
  {
    where: 'src/http/not-found.ts',
    decision:
      'an address that cannot be read is a malformed request like any other, so that its debug id tells why.',
  },
  {
    where: 'src/http/views/payment-views.ts',
    decision:
      "a sale's refunds have no recorded list; this one exists so that the GET refund link can be followed.",
  },
  {
    where: 'src/outcomes/catalogue/errors.ts',
    decision: 'the reference gives no statuses, so these follow HTTP.',
  },
  {
    where: 'src/outcomes/catalogue/errors.ts',
    decision:
      "502 and 504 have no name in the reference; where the service's own shape is asked for, they carry the one of a 500.",
  },
  {
    where: 'src/outcomes/catalogue/reference-errors.ts',
    decision:
      'the reference gives no statuses, so these are those of its OpenAPI document where that has the name, and 400 otherwise; never 401, at which SDKs ask for a new token and try again, some of them for ever.',
  },
  {
    where: 'src/transport-port/transport.ts',
    decision:
      'refusing it by its name (RFC 9110 §15.5.16) says what is wrong; read as it is, it would only be no JSON.',
  },
  {
    where: 'src/world/identity/merchant-id.ts',
    decision:
      'it stands in tokens and addresses, so it keeps to characters that need no escaping there, and is neither `.` nor `..`, which would be read as folders.',
  },
];
