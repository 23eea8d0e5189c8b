/** The processor time in milliseconds that this process has used since then. It hardly changes on a busy machine. */
export function cpuMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}
