/**
 * Decisions that no document prescribes, collected from the comments in the sources. Made by
 * UPDATE_DECISIONS=1 npm run test:run -- test/behaviour/control/decisions.test.ts
 */
export const decisions: readonly { readonly where: string; readonly decision: string }[] = [
  {
    where: 'src/contract/problems.ts',
    decision:
      'one report has 400 here. With 401 and a challenge, clients that wait for a challenge authenticate (`curl --anyauth`, `Authenticator` of Java), and SDKs expect 401 from this endpoint (contract.md §14.16).',
  },
  {
    where: 'src/contract/service/fields.ts',
    decision:
      'a number has no leading zeros. They are not restored, because `12` could be `012` or a typing error. The code is refused as too short, which shows that such a client fails for one card in ten.',
  },
  {
    where: 'src/contract/service/payment-input.ts',
    decision:
      'the real service also accepts wallets. This sandbox supports cards only, and the message says so.',
  },
  {
    where: 'src/contract/service/payment-input.ts',
    decision: 'orders are a wallet flow on the real service.',
  },
  {
    where: 'src/contract/service/vault.ts',
    decision:
      'the position in a `next` link. This sandbox adds it so that pages skip and repeat no card while cards are added or deleted.',
  },
  { where: 'src/contract/service/vault.ts', decision: '20 is the recorded maximum for payments.' },
  {
    where: 'src/contract/shape.ts',
    decision:
      'every text field takes one, also names, notes, ids and card numbers. Fractions, booleans, and integers above 2^53 that JSON readers round are malformed. An amount as a number is a wrong value: its field says so itself.',
  },
  {
    where: 'src/domain/calendar.ts',
    decision:
      'clocks end with the year 9996. Times have four digits for the year, and a card stored then is valid until 9999.',
  },
  {
    where: 'src/domain/card/brand.ts',
    decision:
      "the ranges, which are those that the card schemes publish. Maestro's wide ranges exclude those of Discover, so that each number has one brand.",
  },
  {
    where: 'src/domain/card/card.ts',
    decision:
      'no number is kept, so the last four digits of the new one are invented: the old ones plus one.',
  },
  {
    where: 'src/domain/card/card.ts',
    decision: 'no recording of a 15-digit Amex exists; it gets eleven `x` by the same rule.',
  },
  {
    where: 'src/domain/payment/authorization.ts',
    decision: 'there are no exchange rates here, so for other currencies only the 115 % apply.',
  },
  {
    where: 'src/domain/payment/payment.ts',
    decision:
      'the seed shows `created` for a payment whose sale is completed. In that state the invoice number, `custom` and the shipping address can be set.',
  },
  {
    where: 'src/domain/payment/related-resources.ts',
    decision:
      'a change within a related resource (a void, a settlement, a dispute) updates only the time of that resource.',
  },
  {
    where: 'src/domain/payment/sale.ts',
    decision:
      'a sale whose money a dispute took back is `reversed` with `reason_code` CHARGEBACK. It is `completed` again once the dispute is won (contract.md §4.1). So a client can see a dispute before it refunds.',
  },
  {
    where: 'src/domain/payment/settlement-events.ts',
    decision: 'a sale is disputed at most once, whether the dispute was lost or won.',
  },
  {
    where: 'src/domain/payment/settlement-events.ts',
    decision:
      'the bank takes the money of a sale back once. After a dispute the cardholder already has it, so a reversal then moves no money. It ends an open dispute as lost.',
  },
  {
    where: 'src/guard/live-credentials.ts',
    decision:
      'client ids and secrets of the real service look the same for its sandbox and for live, so they are accepted. A real access token in their place and a live key of another payment provider can be detected.',
  },
  {
    where: 'src/http/handlers/card-patch.ts',
    decision:
      'the number, the type, the members that the service sets, and the ids of the owner are read-only. A card with another number or owner is a different card (contract.md §2.7).',
  },
  {
    where: 'src/http/handlers/vault.ts',
    decision:
      'the rel names of pages are unrecorded; `next` and `previous` are the usual ones (contract.md §2.6).',
  },
  {
    where: 'src/http/not-found.ts',
    decision:
      'an invalid address is a malformed request like any other, so its debug id leads to the reason.',
  },
  {
    where: 'src/http/views/payment-views.ts',
    decision:
      "a sale's refunds have no recorded list; this one exists so that a client can follow the GET refund link.",
  },
  {
    where: 'src/outcomes/catalogue/errors.ts',
    decision: 'the reference gives no statuses, so these follow HTTP.',
  },
  {
    where: 'src/outcomes/catalogue/errors.ts',
    decision:
      "the reference has no name for 502 and 504. In the service's own shape they carry the name of a 500.",
  },
  {
    where: 'src/outcomes/catalogue/reference-errors.ts',
    decision:
      'the reference gives no statuses. The statuses come from its OpenAPI document, or are 400 if it lacks the name. They are never 401: on 401, SDKs request a new token and retry, some of them for ever.',
  },
  {
    where: 'src/transport-port/transport.ts',
    decision: 'a refusal for this reason (RFC 9110 §15.5.16) is clearer than one for invalid JSON.',
  },
  {
    where: 'src/world/identity/merchant-id.ts',
    decision:
      'the id appears in tokens and addresses. It consists of characters that need no escaping, and is neither `.` nor `..`, which are read as folders. It is kept and shown everywhere, so it contains no card number.',
  },
];
