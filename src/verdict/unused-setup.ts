/** What a test prepared and nothing used: it then did not test what it meant to. */
import type { Rule } from '../outcomes/rules/rule.ts';
import { describeRule, explainUnfired } from '../outcomes/rules/rule-report.ts';
import type { IneffectiveEvent } from '../scenarios/timeline.ts';
import {
  describeCame,
  describeGate,
  describeMismatch,
  type UnfilledGate,
} from '../world/gates/gates.ts';
import type { World } from '../world/world.ts';
import type { Reason } from './reasons.ts';

/** Rules, gates and timeline events without effect. Optional ones are left out. */
export interface UnusedSetup {
  /** Rules that never fired, and why not. */
  readonly rules: readonly { readonly rule: Rule; readonly why: string }[];
  /** Gates that did not fill. */
  readonly gates: readonly UnfilledGate[];
  readonly events: readonly IneffectiveEvent[];
}

/** Finds what nothing used in a world. */
export function findUnusedSetup(world: World): UnusedSetup {
  return {
    rules: world.ruleBook
      .unfired()
      .map((report) => ({ rule: report.rule, why: explainUnfired(report) })),
    gates: world.gates.unfilled().filter(({ gate }) => !gate.optional),
    events: missedEvents(world),
  };
}

/** One reason for each rule, gate and event that nothing used. */
export function reasonsOfUnused({ rules, gates, events }: UnusedSetup, merchant: string): Reason[] {
  return [
    ...rules.map(({ rule, why }): Reason => ({
      kind: 'unfired-rule',
      text: `Rule ${rule.id} never fired for merchant ${merchant} (${describeRule(rule)}): ${why}.`,
    })),
    ...gates.map((one): Reason => ({
      kind: 'unfilled-gate',
      text: `${describeGate(one)} did not fill for merchant ${merchant}: ${describeCame(one)}${describeMismatch(one)} If a correct client sends fewer, make the gate optional.`,
    })),
    ...events.map(({ place, event, why }): Reason => ({
      kind: 'missed-event',
      text: `The event ${event} (${place}) had no effect: ${why}.`,
    })),
  ];
}

/** The timeline events that had no effect, and those whose time has not come. */
function missedEvents({ missed, timeline }: World): IneffectiveEvent[] {
  const notDue = timeline.flatMap((entry): IneffectiveEvent[] => {
    if ('goto' in entry || entry.optional) return [];
    const { place, event, atMs } = entry;
    return [{ place, event, why: `its time, ${new Date(atMs).toISOString()}, has not come` }];
  });
  return [...missed, ...notDue];
}
