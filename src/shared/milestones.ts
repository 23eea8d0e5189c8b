/** What a process comes to for the first time. Builds keep what was compiled by then; nobody else listens. */
const milestones = ['sandbox', 'verdict'] as const;

type Listener = (ordinal: number) => void;

const reached = new Set<string>();
let listener: Listener | undefined;

/** Is told at each milestone of this process from now on which it is, counted from 1, and of each once. */
export function onMilestone(listen: Listener): void {
  listener = listen;
}

/** Says that a sandbox was made, or a verdict given. */
export function reach(milestone: (typeof milestones)[number]): void {
  if (reached.has(milestone)) return;
  reached.add(milestone);
  listener?.(milestones.indexOf(milestone) + 1);
}
