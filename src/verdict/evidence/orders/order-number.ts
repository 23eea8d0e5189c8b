/** The number of an order in its texts, however they are written. */
import { steadyName, withoutAddition, withoutAttemptWords } from './attempt-marks.ts';
import { unescaped } from './written-forms.ts';
import { isRecurring, namesMonthOfPlan, numberOfOrder, type OrderWords } from './order-words.ts';

/**
 * The names to which something may have been added before or after, to make this one. A number is whole in each of them:
 * INV-12 was not made of INV-1.
 */
export function namesWithin(name: string): string[] {
  const words = name.split(/[^a-z0-9]/i);
  const parts = new Set<string>();
  let start = 0;
  for (const [first, word] of words.entries()) {
    let end = start - 1;
    for (const next of words.slice(first)) {
      end += 1 + next.length;
      const isLast = end === name.length;
      const isWhole = isLast || /\d$/.test(next);
      if (word !== '' && isWhole) parts.add(name.slice(start, end));
      if (word !== '' && isLast && /\d[a-z]$/i.test(next)) parts.add(name.slice(start, end - 1));
    }
    start += word.length + 1;
  }
  return [...parts].filter((part) => /\d/.test(part));
}

/** Whether one name holds the whole other one. `R-7-a` and `R-7-b` are two parts of one thing. */
export function isExtension(one: string, other: string): boolean {
  const [base, otherBase] = [withoutAddition(one), withoutAddition(other)];
  return namesWithin(base).includes(otherBase) || namesWithin(otherBase).includes(base);
}

/** A sign beside a word, and leading zeros. */
const signsAndZeros = /(?<!\d)[-_#]|[-_#](?!\d)|(?<!\d)0+(?=\d)/g;

/**
 * A name without what two programs may write in different ways: capitals, spaces, signs, leading zeros, and the two forms of
 * a letter with an accent. A sign between two numbers stays: `1-12` and `11-2` are two orders.
 */
export function spellingOf(name: string): string {
  return name.normalize().toLowerCase().replaceAll(/\s/g, '').replaceAll(signsAndZeros, '');
}

/** A year, month or day counts no orders. */
const date = /^20\d\d(?:[-/.]?(?:0[1-9]|1[0-2])(?:[-/.]?(?:[0-2]\d|3[01]))?)?$/;

/** All that names the order of a payment, as keys: the numbers in its texts, or the month of its plan. */
export function orderNumbersIn(order: OrderWords, customer: string | undefined): string[] {
  const { custom, referenceId, description, notes = [] } = order;
  const numbers = [custom, referenceId, description, ...notes].flatMap(
    (text) => orderNumberIn(text) ?? [],
  );
  if (numbers.length > 0) return isRecurring(order) ? [] : numbers;
  return namesMonthOfPlan(order, customer)
    ? [`${monthPrefix}${spellingOf([custom, description].join(' '))}`]
    : [];
}

const monthPrefix = 'month ';

/** Whether the key of an order is the month of a plan. */
export function isMonthKey(name: string): boolean {
  return name.startsWith(monthPrefix);
}

/** The number of an order in a text, with the beginning of the word before it: `ord 77` of `Order #77`. */
export function orderNumberIn(text = ''): string | undefined {
  const found = /\d/.test(text)
    ? numberOfOrder(withoutAttemptWords(unescaped(steadyName(text) ?? '')))
    : undefined;
  if (found === undefined) return undefined;
  const number = found.number.replace(/[^a-z\d]+$/i, '');
  // `Invoice INV-77` is `INV-77`.
  const inner = orderNumberIn(number);
  if (inner !== undefined || date.test(number)) return inner;
  return `${found.word.slice(0, 3).toLowerCase()} ${spellingOf(number)}`;
}
