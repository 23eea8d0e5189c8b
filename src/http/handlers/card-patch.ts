/** Applies JSON Patch to a copy of a card, completely or not at all. */
import type { z } from '@hono/zod-openapi';
import { applyPatch, type Operation } from 'rfc6902';
import { RevisedCard, type CardPatchIn } from '../../contract/service/vault.ts';
import { invalidIssue, requiredIssue } from '../../contract/service/fields.ts';
import { readShape } from '../../contract/shape.ts';
import type { CardRevision } from '../../domain/card/card.ts';
import {
  accept,
  refuse,
  refuseFields,
  type FieldIssue,
  type Result,
} from '../../domain/refusals.ts';
import { cardRevision } from '../../world/request-drafts.ts';

type CardPatch = z.output<typeof CardPatchIn>;
type PatchOperation = CardPatch[number];

const addressMembers = ['line1', 'line2', 'city', 'state', 'postal_code', 'country_code', 'phone'];

/**
 * Paths that a patch may change. `Seed silent:` the number, the type, the members that the service sets, and the ids of
 * the owner are read-only. A card with another number or owner is a different card (contract.md §2.7).
 */
const changeable: ReadonlySet<string> = new Set([
  '/first_name',
  '/last_name',
  '/expire_month',
  '/expire_year',
  '/billing_address',
  ...addressMembers.map((member) => `/billing_address/${member}`),
]);

/** Read-only paths that an answer may name. Any other path is the client's own text, so no answer repeats it. */
const readOnly: ReadonlySet<string> = new Set(
  [
    'id',
    'state',
    'type',
    'number',
    'cvv2',
    'external_customer_id',
    'payer_id',
    'external_card_id',
    'merchant_id',
    'valid_until',
    'create_time',
    'update_time',
    'links',
  ].map((member) => `/${member}`),
);

/** Applies a patch to a card as the merchant sees it. */
export function patchCard(shown: object, patch: CardPatch): Result<CardRevision> {
  // A copy through JSON shares nothing with the card and has no undefined members.
  const copy: Record<string, unknown> = JSON.parse(JSON.stringify(shown));
  for (const [at, operation] of patch.entries()) {
    const fault = apply(copy, operation, at);
    if (fault !== undefined) return refuseFields(fault);
  }
  const shaped = readShape(RevisedCard, copy);
  if (shaped.ok) return accept(cardRevision(shaped.value));
  return 'issues' in shaped
    ? refuseFields(...shaped.issues)
    : refuse('invalid-fields', shaped.malformed, {
        issues: [{ field: shaped.field, issue: invalidIssue }],
      });
}

/** A JSON Pointer (RFC 6901). For anything else, rfc6902 throws a message with the client's own text. */
const pointerForm = /^(?:\/[^/]*)*$/;

const notPointer = 'Must be a JSON Pointer, with a / before each member';
const fixed = 'This member cannot be changed';

/** Applies an operation, or explains what is wrong with it. `at` is its index in the patch. */
function apply(
  copy: Record<string, unknown>,
  operation: PatchOperation,
  at: number,
): FieldIssue | undefined {
  const { op, path, from } = operation;
  const [field, fromField] = [nameOf(path, `[${at}].path`), `[${at}].from`];
  if (!pointerForm.test(path)) return { field, issue: notPointer };
  if (!pointerForm.test(from ?? '')) return { field: fromField, issue: notPointer };
  if (op !== 'test' && !changeable.has(path)) return { field, issue: fixed };
  if ((op === 'move' || op === 'copy') && from === undefined) {
    return { field: fromField, issue: requiredIssue };
  }
  if (op === 'move' && !changeable.has(from ?? '')) {
    return { field: nameOf(from ?? '', fromField), issue: fixed };
  }
  if ((op === 'add' || op === 'replace' || op === 'test') && operation.value === undefined) {
    return { field: `[${at}].value`, issue: requiredIssue };
  }
  // After the checks above, every op has the members that RFC 6902 requires.
  const [result] = applyPatch(copy, [operation as Operation]);
  if (result?.name === 'TestError') return { field, issue: 'The value is not the one tested for' };
  if (result !== null) return { field, issue: 'There is nothing at this path' };
  return isFlatOrAbsent(copy['billing_address']) ? undefined : { field, issue: invalidIssue };
}

/**
 * Whether an address is absent, or all its members are plain values. Otherwise a patch could copy an address into itself
 * endlessly. No member can be added to a text, a number or `true`: rfc6902 would throw.
 */
function isFlatOrAbsent(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return (
    typeof value === 'object' && Object.values(value).every((member) => typeof member !== 'object')
  );
}

/**
 * Names the member of a pointer as card issues do (`billing_address.city`). If no answer may name the member, it
 * returns the place in the patch.
 */
function nameOf(pointer: string, place: string): string {
  return changeable.has(pointer) || readOnly.has(pointer)
    ? pointer.slice(1).replaceAll('/', '.')
    : place;
}
