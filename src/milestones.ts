/** What a process comes to for the first time. Builds keep what was compiled by then; nobody else listens. */
export type Milestone = 'sandbox' | 'verdict';

const reached = new Set<Milestone>();
let listener: (() => void) | undefined;

/** Is called at each milestone of this process from now on, once for each. */
export function onMilestone(listen: () => void): void {
  listener = listen;
}

/** Says that one is reached. */
export function reach(milestone: Milestone): void {
  if (reached.has(milestone)) return;
  reached.add(milestone);
  listener?.();
}
