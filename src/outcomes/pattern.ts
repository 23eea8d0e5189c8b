/** Regular expressions of rules: only those that are soon done, as nothing else is answered while one is held against a text. */

/** Longer texts meet none: the time that one takes can grow faster than the text does. */
export const longestMatched = 1_024;

/** What is wrong with a regular expression; `undefined` when nothing is. */
export function patternFault(pattern: string): string | undefined {
  try {
    RegExp(pattern, 'u');
  } catch {
    return 'this is no regular expression.';
  }
  return canRunAway(pattern)
    ? 'a group that is repeated holds a repetition or an alternative, and a text can be made that keeps the sandbox busy for ever. Repeat a class of characters, like [ab]+, or write the group as often as it may come.'
    : undefined;
}

/** A class, the beginning of a group, a quantifier, or any other character: the flag `u` lets through nothing else. */
const parts =
  /\\.|\[(?:\\.|[^\]\\])*\]|(?<open>\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?)|(?<close>\))|(?<or>\|)|(?<times>[*+?]|\{\d+(?<upTo>,\d*)?\})\??|./gsu;

/** Whether a group can read a part of a text in more than one way, and is repeated: the ways multiply. */
function canRunAway(pattern: string): boolean {
  const ambiguous = [false];
  let closedOne = false;
  for (const { groups = {} } of pattern.matchAll(parts)) {
    const { open, close, or, times, upTo } = groups;
    if (closedOne && times !== undefined && times !== '?') return true;
    if (open !== undefined) ambiguous.push(false);
    closedOne = close !== undefined && ambiguous.pop() === true;
    const isFixed = times?.startsWith('{') === true && upTo === undefined;
    if (closedOne || or !== undefined || (times !== undefined && !isFixed)) {
      ambiguous[ambiguous.length - 1] = true;
    }
  }
  return false;
}
