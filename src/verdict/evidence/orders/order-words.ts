/**
 * Does a name stand for one order, so that two payments under it pay the same thing?
 *
 * Letters such as `\xe4` are escaped, because the bundle keeps raw strings, and has no letters beyond ASCII.
 */

/** The begin of a number of three digits or more. It does not begin with a year, unless it is counted in it: `2026-118`. */
const number = String.raw`(?!20\d\d(?![-_/]\d{3}(?:\d\d|(?!\d))))\d{3}`;
const signedNumber = String.raw`(?: ?[-_#:/=]|": ?"?)${number}`;

/**
 * Words that stand for other things than orders, too. A sign and a number of three digits follows: `trip-5512`, `SO-2026-118`,
 * `{"cart":5512}`. Or a longer number ends the text: `PO4471`, `Ride 8812`. Or the word is the key of an id: `{"cart_id":"7f"}`.
 */
const doubtfulOrder = String.raw`(?:trip|ride|journey|rental|job|cart|basket|quote|delivery|bill|trx|tx|so|po|wo)(?=${signedNumber}| ?${number}\d+(?:$|")|[-_]?id"? ?[:=])|donation(?=${signedNumber})`;

/** A word for an order. */
const orderWord = String.raw`${doubtfulOrder}|orders?|ord|invoice|inv|(?:booking|reservation)(?:[ _-]?ref(?:erence)?)?|purchase|receipt|checkout(?:[ _-]?session)?|payment|transaction|txn|bestellung|auftrag|rechnung|buchung|commande|facture|pedido|factura`;

/** It is followed by its number: `order-1001`, `Order #A7`, `INV_2026-3`, `{"order_id": "1001"}`, `{"order":{"id":1001}}`. */
const orderNumber = new RegExp(
  String.raw`(?<![a-z])(${orderWord})[^a-z0-9]{0,5}(?:(?:n[\xb0\xba]|no|nr|num|number|id)[^a-z0-9]{0,4})?([a-z]{0,4}[-_]?\d)`,
  'i',
);

/** A number in a sentence may count things, as in "order 2 coffees". */
const countsThings = /^\d{1,2} +(?!(?:of|at|for|from|by|in|on|von|bei)\b)[a-z]/i;
const isMarked = /[^a-z\d ]|\b(?:no|nr|num|number|id)\b/i;

/**
 * A word for a case or a part of an order, followed by its number: `RMA-77`, `Case 4711`, `Parcel 1 of 3`.
 * The number after "refund" may be its amount, so that it counts only with a sign or word for a number: `Refund #12`.
 */
const partNumber =
  /(?<![a-z])(?:rma|returns?|(?:refund|compensation|adjustment)(?=[-_#]| #|[^a-z0-9]{0,3}(?:no|nr|num|number|id)[^a-z])|cancell?ation|incident|saga|case|claim|complaint|ticket|credit ?note|gutschrift|storno|retoure|parcel|package|shipment|delivery|night|install?ment)[^a-z0-9]{0,3}(?:(?:no|nr|num|number|id)[^a-z0-9]{0,4})?[a-z]{0,4}[-_]?\d/i;

/** Orders that are meant to be paid again and again. */
const recurring = /standing|recurr|repeat/i;

/** A word for what is paid once for each month, week or other period. */
const plan =
  /(?<![a-z])(?:subs?|subscription|plan|membership|premium|abo|rent|fee|dues|hosting|renewal|bill|billing|cycle|period|statement|tariff|(?:week|month|quarter|year)ly (?:gift|donation))(?![a-z])/i;

/** Words for what may be bought several times within one month of a plan. */
const addition =
  /(?<![a-z])(?:extra|additional|add-?ons?|added|top-?ups?|overage|pro-?rat[a-z]*|upgrade|zusatz[a-z]*)(?![a-z])/i;

/**
 * A month, week or quarter of a year, a range of dates, or the year of what is annual: `2026-11`, `11/2026`, `Nov 2026`,
 * `Week 45 of 2026`, `2026-W45`, `Q4 2026`, `01.11.2026-30.11.2026`, `Annual plan 2026`.
 */
const month = new RegExp(
  [
    String.raw`(?<!\d)20\d\d[-/.]?(?:0[1-9]|1[0-2])(?!\d)`,
    String.raw`(?<![\d/.-])(?:0?[1-9]|1[0-2])[-/.]20\d\d(?!\d)`,
    String.raw`(?<![a-z])(?:jan|feb|mar|m\xe4r|apr|may|jun|jul|aug|sep|oct|nov|dec|mai|okt|dez)[a-z]*[ ._-]{1,2}20\d\d(?!\d)`,
    String.raw`(?<![a-z])(?:week|kw|w) ?\d{1,2}(?:/|,? | of )20\d\d(?!\d)`,
    String.raw`(?<!\d)20\d\d-?w\d\d(?!\d)`,
    String.raw`(?<![a-z\d])q[1-4][ /-]20\d\d(?!\d)`,
    String.raw`(?<!\d)20\d\d[ /-]?q[1-4](?!\d)`,
    String.raw`[/.]20\d\d ?(?:[-\u2013]|to|bis) ?[0-3]?\d[/.][01]?\d[/.]20\d\d(?!\d)`,
    String.raw`(?<![a-z])(?:annual|yearly)(?![a-z])[a-z ,]{0,30}20\d\d(?!\d)`,
  ].join('|'),
  'i',
);

/** One of several instalments: `Instalment 2 of 6`. */
const instalment = /(?<![a-z])install?ments?[^a-z\d]{1,3}\d{1,3} ?(?:of|\/|von) ?\d{1,3}(?!\d)/i;

/** Finds words for a part of an order that do not say which part it is, as `Deposit 1 of 2` does. */
const unnumbered = (words: string) =>
  new RegExp(
    String.raw`(?<![a-z])(?:${words})s?(?![a-z])(?![ #-]{1,2}\d{1,2}(?:$|\/| (?:of|von) ))`,
    'i',
  );

/** What may be added to an order: `Extra seat`. It needs such a word, because `Extra large` and `Extra virgin oil` are articles. */
const addedThing =
  'day|night|hour|mile|km|person|guest|passenger|driver|seat|bed|bag|stop|print|copy|copie|ticket|work|charge|fee';

/** A part of an order, or an extra that may be bought again under its number. */
const unnumberedPart = unnumbered(
  [
    '(?:part|partial|down|progress)[ -]?payment|payment on account|deposit|balance|install?ment',
    'teilzahlung|anzahlung|abschlag(?:szahlung)?|restzahlung|acompte|versement|paiement partiel|pago (?:parcial|a cuenta)|anticipo',
    '(?:part|partial) (?:delivery|shipment)|teillieferung|back-?order|call-?off',
    `(?:extra|additional|another|one more) (?:${addedThing})|extension|add-?on|mini-?bar|room service`,
    'waiting time|late (?:return|check-?out)|labou?r|overtime|mileage',
  ].join('|'),
);

/** An extra of a stay or trip. Under the number of an order, these words may stand for all that was bought. */
const extraOfStay = unnumbered('breakfast|lunch|dinner|spa|parking|toll|tip|fuel|top-?up');

/** A word for an order to which such extras come. */
const stayOrTrip = /(?<![a-z])(?:booking|reservation|buchung|rental|trip|ride|journey)(?![a-z])/i;

/** What a payment says of its order. */
export interface OrderWords {
  readonly custom?: string | undefined;
  readonly referenceId?: string | undefined;
  readonly description?: string | undefined;
  /** Other texts about it: notes, what the buyer's statement shows, and the names of items. */
  readonly notes?: readonly string[];
}

/** The same words, each of them changed. A reference id is no words. */
export function changeWords(order: OrderWords, change: (text: string) => string): OrderWords {
  const { custom, description, notes = [] } = order;
  return {
    ...order,
    custom: custom && change(custom),
    description: description && change(description),
    notes: notes.map(change),
  };
}

/**
 * Whether a payment names the number of an order, or the month of a plan.
 *
 * Other texts may stand for a shop, a till, a customer or an article, which are paid many times.
 *
 * @param customer Who pays, which tells plans apart if there is no `custom`.
 */
export function namesOneOrder(order: OrderWords, customer?: string): boolean {
  return isNumbered(order) ? !isRecurring(order) : namesMonthOfPlan(order, customer);
}

/** Whether a payment names an order that is meant to be paid again and again. */
export function isRecurring(order: OrderWords): boolean {
  return recurring.test(wordsOf(order));
}

/** Whether a payment names a plan and the period or instalment for which it is paid. It is paid once. */
export function namesMonthOfPlan(order: OrderWords, customer?: string): boolean {
  const words = wordsOf(order);
  const isOfOneBuyer = (order.custom ?? '') !== '' || customer !== undefined;
  const isPlan = plan.test(words) && month.test(words) && !addition.test(words);
  return ((isPlan && isOfOneBuyer) || namesInstalment(order)) && !isNumbered(order);
}

/** Whether a text names a month, week or other period. */
export function namesPeriod(text: string): boolean {
  return month.test(text);
}

/** Whether a payment names one instalment, and `custom` has a number, such as that of a contract. */
function namesInstalment({ custom = '', description = '' }: OrderWords): boolean {
  return /\d/.test(custom) && instalment.test(description);
}

/** Whether a payment says that it is a part or an extra of its order, but not which one. Another one may cost the same. */
export function namesUnnumberedPart(order: OrderWords): boolean {
  const { custom = '', referenceId = '', description = '' } = order;
  return (
    unnumberedPart.test(description) ||
    (extraOfStay.test(description) && stayOrTrip.test(`${custom} ${referenceId}`))
  );
}

function isNumbered({ custom = '', referenceId = '', description = '', notes = [] }: OrderWords) {
  return (
    orderNumber.test(custom) ||
    orderNumber.test(referenceId) ||
    [description, ...notes].some((text) => holdsNumber(orderNumber, text))
  );
}

function wordsOf({ custom = '', description = '', notes = [] }: OrderWords): string {
  return [custom, description, ...notes].join(' ');
}

/** A deposit of an order, which is returned once. */
const deposit = /(?<![a-z])(?:deposit|kaution)(?![a-z])/i;

/** Whether a note names one case or one part of an order, so that another request with it is for the same one. */
export function namesOnePart(note: string): boolean {
  return holdsNumber(partNumber, note) || (deposit.test(note) && holdsNumber(orderNumber, note));
}

/** A name with a number: `T-88`. */
const numberedName = /(?<![a-z\d])[a-z]{1,10}[-_#]\d+/i;

/** Words that a note of any refund may have. */
const ofAnyRefund = /^(?:re(?:turn|fund)(?:s|ed|ing)?|your|from)$/i;

/** Whether the note of a refund names an order and says why: `T-88 hotel not available`. Two items may have one reason. */
export function namesOrderAndReason(note: string): boolean {
  const found = findNumber(orderNumber, note) ?? numberedName.exec(note);
  if (found === null) return false;
  const words = note.replace(found[0], ' ').match(/\p{L}{4,}/gu) ?? [];
  return words.some((word) => !ofAnyRefund.test(word));
}

/** Whether a sentence holds a number of its kind, and not a number of things. */
function holdsNumber(kind: RegExp, sentence: string): boolean {
  return findNumber(kind, sentence) !== undefined;
}

function findNumber(kind: RegExp, sentence: string): RegExpExecArray | undefined {
  const found = kind.exec(sentence);
  if (found === null) return undefined;
  const [text] = found;
  const isNumber =
    isMarked.test(text) || !countsThings.test(sentence.slice(found.index + text.length - 1));
  return isNumber ? found : undefined;
}

/** The first number of an order in a text, and the word before it. */
export function numberOfOrder(
  text: string,
): { readonly word: string; readonly number: string } | undefined {
  const found = findNumber(orderNumber, text);
  if (found === undefined) return undefined;
  const [start, word = '', begin = ''] = found;
  const [rest = ''] = /^[^\s,;|&"'(){}[\]]*/.exec(text.slice(found.index + start.length)) ?? [];
  return { word, number: begin + rest };
}

/** The name that a payment gives its order: `custom`, or else a text with the number of the order. */
export function orderNameOf(order: OrderWords): string | undefined {
  const { custom, referenceId, description, notes = [] } = order;
  if (custom !== undefined) return custom;
  if (namesOneOrder({ referenceId })) return referenceId;
  return [description, ...notes].find((text) => namesOneOrder({ description: text }));
}

/** A word for what sells the same thing again and again. */
const pointOfSale =
  /(?<![a-z])(?:tills?|terminal|kiosk|machine|vending|register|pump|meter|charger|booth|pos|kasse|automat)(?![a-z])/i;

/** Whether a name stands for a till or machine, and not for one order. */
export function namesPointOfSale(name: string): boolean {
  return pointOfSale.test(name) && !namesOneOrder({ custom: name });
}

/** A word for an order that is paid night by night. */
const booking = /(?<![a-z])(?:booking|reservation|buchung)/i;

/** Whether a payment names the number of a booking. */
export function namesBooking(order: OrderWords): boolean {
  const { custom = '', referenceId = '', description = '' } = order;
  return isNumbered(order) && booking.test([custom, referenceId, description].join(' '));
}
